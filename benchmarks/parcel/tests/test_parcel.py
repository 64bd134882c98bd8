from parcel.models import Status


def test_states():
    assert len(Status) == 4
