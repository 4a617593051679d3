"""Numbers by which ten exponentials stand for the power law t^−d.

Decides the time constants of the traces and their weights for each d. Refuses to keep or update a
trace: `traces` does, and the weights enter only when a strength is asked for.

    t^−d ≈ Σ_q w_q(d)·exp(−t/τ_q),   60 s ≤ t ≤ 20 years

The τ_q are spaced evenly in log time from 60 s to 80 years; the w_q were fitted by non-negative
least squares on the relative error. Because each is ≥ 0, the error of one kernel is the error of a
sum over any history. Largest error: 1.8 % at d 0.5, 1.2 % at 0.3, 4.8 % at 0.9.
"""

import numpy as np

from lapse.laws.strength import FloatArray
from lapse.model.retention import TRACE_COUNT

# fmt: off
TIME_CONSTANTS_S: tuple[float, ...] = (
    59.999999999999986, 421.95594135277383, 2967.4469407150928, 20868.86445473077,
    146762.35576598957, 1032120.7997064816, 7258491.727165419, 51046061.82562349,
    358986484.4997146, 2524608000.0000033,
)
"""τ_q: seconds in which trace q falls to 1/e."""

FITTED_DECAYS: tuple[float, ...] = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""The d for which weights were fitted, evenly spaced."""

FITTED_WEIGHTS: tuple[tuple[float, ...], ...] = (
    (
        0.14484418704777646, 0.14312427028091929, 0.07540067065456733, 0.0655234866826477,
        0.03450078729337295, 0.030167636124334367, 0.015468989830852988, 0.0146780202073431,
        0.003007869717965302, 0.02139045609222175,
    ),
    (
        0.172495981051284, 0.1086265690099087, 0.05773276101809226, 0.034078147463656096,
        0.017776181195353426, 0.010636130455949149, 0.0054330248898136905, 0.0034234833889755754,
        0.0012530716511234721, 0.002629352359433596,
    ),
    (
        0.17130083856687003, 0.07835443316527889, 0.03589527970816976, 0.01647549051451579,
        0.007523358321833665, 0.0034714244977187394, 0.0015747696651584205,
        0.0007381255781653271, 0.0002884833605635012, 0.0003187883044100444,
    ),
    (
        0.14234401015853498, 0.053564192710542566, 0.020203661572975914, 0.00761796473409744,
        0.002872696399710729, 0.0010832737329469497, 0.0004084483653773871,
        0.00015424746481667936, 5.5021571717665445e-05, 3.803419873819392e-05,
    ),
    (
        0.11246842356352964, 0.03483459269054583, 0.010809920946324814, 0.0033537605612336736,
        0.0010405648182208185, 0.0003228492402768141, 0.00010016548885023312,
        3.10971089232899e-05, 9.34311928075745e-06, 4.619954579692616e-06,
    ),
    (
        0.08566317704634237, 0.021836005688345813, 0.005575243227738644, 0.0014232015380936777,
        0.0003633147491557632, 9.27526144379531e-05, 2.3672869993704376e-05,
        6.052860334516434e-06, 1.4984621911034815e-06, 5.671157030960797e-07,
    ),
    (
        0.06341226876166414, 0.013302778823586606, 0.0027945509360616854, 0.0005869552353723407,
        0.00012328494280075672, 2.589641663637219e-05, 5.438295564000511e-06,
        1.1436250282256111e-06, 2.3524486506008298e-07, 6.774334484170926e-08,
    ),
    (
        0.0458701905240759, 0.007919166462418095, 0.0013687627824105824, 0.0002365436270076918,
        4.0879565197540563e-05, 7.065083077886834e-06, 1.2208266369030846e-06,
        2.111494382210699e-07, 3.5981803900510946e-08, 8.016171431323017e-09,
    ),
)
"""w_q for each fitted d."""
# fmt: on

_STEP = 0.1
_LOG_WEIGHTS: FloatArray = np.log(np.array(FITTED_WEIGHTS)).T
_LOG_WEIGHTS.flags.writeable = False


def weights_for(decay: FloatArray) -> FloatArray:
    """Weights of the ten traces for each d; between two fitted d, ln w is interpolated.

    Args:
        decay: Shape (n,). d, held within [0.2, 0.9].

    Returns:
        Shape (10, n), each > 0. The sum they give falls as d rises, at every age from 60 s on.
    """
    place = (np.clip(decay, FITTED_DECAYS[0], FITTED_DECAYS[-1]) - FITTED_DECAYS[0]) / _STEP
    below = np.minimum(place.astype(np.intp), len(FITTED_DECAYS) - 2)
    share = place - below
    low = np.take(_LOG_WEIGHTS, below, axis=1)
    high = np.take(_LOG_WEIGHTS, below + 1, axis=1)
    # As a difference, so that two equal neighbours and a share of 0 or 1 lose nothing.
    mixed = np.asarray(low + share * (high - low), dtype=np.float64)
    return np.exp(mixed, out=mixed).reshape(TRACE_COUNT, -1)
