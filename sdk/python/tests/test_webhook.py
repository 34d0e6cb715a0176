import base64
import json
from datetime import datetime, timedelta, timezone

import pytest
from standardwebhooks.webhooks import Webhook

from magpie_client import WebhookVerificationError, verify_webhook


def secret_of(text: str) -> str:
    return "whsec_" + base64.b64encode(text.encode()).decode()


SECRET = secret_of("0123456789abcdef0123456789abcdef")
ANOTHER = secret_of("another secret of thirty-two bit")
BODY = json.dumps({"id": "evt_1", "type": "webhook.test", "seq": 1, "data": {"source": None, "text": "für 3 €"}})


def signed(by: str = SECRET, age: float = 0) -> dict[str, str]:
    at = datetime.now(timezone.utc) - timedelta(seconds=age)
    return {
        "Webhook-Id": "evt_1",
        "Webhook-Timestamp": str(int(at.timestamp())),
        "Webhook-Signature": Webhook(by).sign("evt_1", at, BODY),
    }


def test_genuine_deliveries_are_returned_as_the_event() -> None:
    assert verify_webhook(SECRET, signed(), BODY) == json.loads(BODY)
    assert verify_webhook(SECRET, signed(), BODY.encode())["type"] == "webhook.test"


def test_one_right_signature_of_several_is_enough_and_one_right_secret() -> None:
    both = f"{signed(ANOTHER)['Webhook-Signature']} {signed()['Webhook-Signature']}"
    verify_webhook(SECRET, {**signed(), "Webhook-Signature": both}, BODY)
    verify_webhook([ANOTHER, SECRET], signed(), BODY)


def test_an_old_delivery_passes_where_its_age_is_allowed() -> None:
    verify_webhook(SECRET, signed(age=600), BODY, tolerance=3600)


FORGED = {
    "of another secret": (signed(ANOTHER), BODY),
    "with another body": (signed(), BODY.replace("3", "4")),
    "with another id": ({**signed(), "Webhook-Id": "evt_2"}, BODY),
    "of another version": ({**signed(), "Webhook-Signature": "v2," + signed()["Webhook-Signature"][3:]}, BODY),
    "with a signature that is not base64": ({**signed(), "Webhook-Signature": "v1,€"}, BODY),
    "without a signature": ({**signed(), "Webhook-Signature": ""}, BODY),
    "that is old": (signed(age=600), BODY),
    "that is from the future": (signed(age=-600), BODY),
    "without a time": ({**signed(), "Webhook-Timestamp": "soon"}, BODY),
}


@pytest.mark.parametrize(("headers", "body"), FORGED.values(), ids=FORGED)
def test_a_forged_delivery_is_refused(headers: dict[str, str], body: str) -> None:
    with pytest.raises(WebhookVerificationError):
        verify_webhook(SECRET, headers, body)
