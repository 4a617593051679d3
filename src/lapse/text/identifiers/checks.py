"""Check digits: how a number shows that it is what it looks like.

Decides whether digits satisfy a checksum. Refuses to say whether such a number was ever issued.
"""


def luhn(digits: str) -> bool:
    """Whether the last digit checks the others, as on payment cards.

    Source: ISO/IEC 7812-1, annex B: from the right, every second digit is doubled, the digits of
    all are summed, and the sum is a multiple of 10.
    """
    total = 0
    for at, each in enumerate(reversed(digits)):
        digit = int(each) * (1 + at % 2)
        total += digit - 9 * (digit > 9)
    return total % 10 == 0


def mod_97(account: str) -> bool:
    """Whether the two digits after the country check the rest of an account number.

    Source: ISO 13616-1: the first four characters moved to the end, letters written as 10 to 35,
    the whole leaves 1 when divided by 97.
    """
    turned = account[4:] + account[:4]
    return int("".join(str(int(each, 36)) for each in turned)) % 97 == 1
