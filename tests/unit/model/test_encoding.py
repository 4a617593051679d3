"""Writers of values: in which order fields are written."""

import dataclasses

from lapse.model.codec import encode
from lapse.model.retention import UseEvent, UseSource
from lapse.testing.fakes import START


def test_fields_are_written_in_the_order_in_which_they_are_declared() -> None:
    event = UseEvent(
        event_id="e1",
        memory_id="m1",
        source=UseSource.CITED,
        weight=1.0,
        at=START,
        enqueued_at=START,
    )
    written = encode(event)
    assert isinstance(written, dict)
    assert list(written) == [each.name for each in dataclasses.fields(event)]
