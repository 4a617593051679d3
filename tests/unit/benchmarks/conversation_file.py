"""A conversation of four turns in LoCoMo's format."""

import json
from pathlib import Path

TURNS = (
    ("D1:1", "Ada", "My sister Ines lives in Porto and repairs violins"),
    ("D1:2", "Bo", "I adopted a grey cat called Turnip"),
    ("D2:1", "Ada", "The marathon in Lisbon was cancelled because of the storm"),
    ("D2:2", "Bo", "Lunch was a cheese sandwich again"),
)


def write_conversation(folder: Path) -> Path:
    """Write it, with one question that a turn answers, one nobody answers, and one adversarial."""
    spoken = [{"dia_id": turn, "speaker": who, "text": text} for turn, who, text in TURNS]
    content = {
        "sample_id": "tiny",
        "conversation": {
            "session_1": spoken[:2],
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_2": spoken[2:],
            "session_2_date_time": "10:37 am on 27 June, 2023",
        },
        "qa": [
            {"question": "Who repairs violins?", "category": 4, "evidence": ["D1:1"]},
            {"question": "Where is the dog?", "category": 4, "evidence": []},
            {"question": "What is the dog called?", "category": 5, "evidence": ["D1:2"]},
        ],
    }
    path = folder / "conversation.json"
    path.write_text(json.dumps([content]), encoding="utf-8")
    return path
