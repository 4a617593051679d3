"""What Lapse costs and how well it finds, measured. Nothing here is installed with the package."""

import os

# Before NumPy is loaded: with few cores a second BLAS thread makes one product faster and all that
# runs beside it slower, and under load the products of small matrices ten times slower.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
