"""Forms of the console, sent as browsers send them: with the key of the page, which is in a cookie too."""

import re

import requests


class Form:
    """The form of one page, in a browser of its own."""

    def __init__(self, url, session=None, **named):
        self.session, self.url, self.named = session or requests.Session(), url, named
        self.page = self.session.get(url, timeout=10, **named)
        self.hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', self.page.text))

    def send(self, **fields):
        return self.session.post(self.url.split("?")[0], data={**self.hidden, **fields}, timeout=10, allow_redirects=False,
                                 **self.named)


def press(page):
    """The page of a browser after pressing the one button of a page that a link has opened."""
    with page.expect_navigation():
        page.get_by_role("main").get_by_role("button").click()
    return page
