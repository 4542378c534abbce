"""The numbering plans of the core agree with the data set that they were generated from."""

import phonenumbers
import pytest
import requests
from phonenumbers import COUNTRY_CODE_TO_REGION_CODE, PhoneMetadata, PhoneNumberFormat

import numbering_plans
import ringfence
import written_numbers


@pytest.fixture(scope="module")
def ask():
    """Asks the server about a number."""
    with ringfence.Server() as server, requests.Session() as session:
        def ask(number):
            return session.get(f"{server.http}/control/numbers/{number}", timeout=10).json()

        yield ask


def test_the_generated_files_are_those_of_the_pinned_package():
    for name, text in numbering_plans.sources().items():
        assert (numbering_plans.FOLDER / name).read_text() == text, "run Tests/Tools/numbering_plans.py"
    assert written_numbers.FILE.read_text() == written_numbers.source(), "run Tests/Tools/written_numbers.py"


def examples():
    """An example number of each kind of each country, of the lengths that the sandbox accepts."""
    for code, regions in COUNTRY_CODE_TO_REGION_CODE.items():
        for region in regions:
            plan = numbering_plans.metadata(code, region)
            for kind in numbering_plans.KINDS:
                example = getattr(plan, kind) and getattr(plan, kind).example_number
                if example and len(f"{code}{example}") >= 7:
                    yield region, f"+{code}{example}"


def test_every_kind_of_number_has_its_line_type():
    types = phonenumbers.PhoneNumberType
    names = {
        types.FIXED_LINE: "landline", types.MOBILE: "mobile", types.FIXED_LINE_OR_MOBILE: "mobile",
        types.TOLL_FREE: "tollFree", types.PREMIUM_RATE: "premium", types.SHARED_COST: "sharedCost",
        types.VOIP: "nonFixedVoip", types.PERSONAL_NUMBER: "personal", types.PAGER: "pager", types.UAN: "uan",
        types.VOICEMAIL: "voicemail"}
    with ringfence.Server() as server, requests.Session() as session:
        session.auth = ("AC00000000000000000000000000000001", "0123456789abcdef0123456789abcdef")
        for _, number in examples():
            answer = session.get(
                f"{server.http}/v2/PhoneNumbers/{number}?Fields=line_type_intelligence", timeout=10).json()
            expected = names[phonenumbers.number_type(phonenumbers.parse(number))]
            assert answer["line_type_intelligence"]["type"] == expected, number


def test_every_country_has_valid_numbers(ask):
    found = 0
    for region, number in examples():
        answer = ask(number)
        assert answer["valid"], (region, answer)
        expected = phonenumbers.region_code_for_number(phonenumbers.parse(number))
        assert answer.get("country") == (None if expected == numbering_plans.NO_COUNTRY else expected), number
        national = phonenumbers.format_number(phonenumbers.parse(number), PhoneNumberFormat.NATIONAL)
        assert answer["nationalFormat"] == national
        found += 1
    assert found > 1100


def test_wrong_numbers_are_refused_as_the_data_set_says(ask):
    problems = {"tooShort": 0, "tooLong": 0, "invalidLength": 0, "invalidPrefix": 0}
    for _, number in list(examples())[::6]:
        # One digit less, one more, and another digit in the first, second and third place of the national
        # number.
        national = str(phonenumbers.parse(number).national_number)
        start = len(number) - len(national)
        changed = [number[:-1], number + "7"] + [
            number[: start + place] + str((int(number[start + place]) + 3) % 10) + number[start + place + 1 :]
            for place in range(3)]
        for text in changed:
            if not 8 <= len(text) <= 16:
                continue
            parsed = phonenumbers.parse(text)
            if phonenumbers.format_number(parsed, PhoneNumberFormat.E164) != text:
                continue  # the library reads it as another number
            answer = ask(text)
            if not answer["fictional"]:  # those are valid, whatever the data set says
                assert answer["valid"] == phonenumbers.is_valid_number(parsed), answer
            if not answer["valid"]:
                problems[answer["problem"]] += 1
    assert all(count > 10 for count in problems.values()), problems
