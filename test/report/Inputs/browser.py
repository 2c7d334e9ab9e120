"""A page in headless Chromium, driven over its DevTools pipe.

    with Page("report.html", width=1280) as page:
        page.evaluate("report.programs.length")

Messages are JSON terminated by a zero byte, on file descriptors 3 and 4. Logs
and script errors of the page are in `page.messages`.
"""

import base64
import fcntl
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile


# The largest page takes some seconds on an idle machine.
MOST_SECONDS = 300


class Page:
    def __init__(self, path, width=1280, height=900, dark=False):
        self.messages = []
        self.folder = tempfile.mkdtemp(prefix="moe-browser-")
        to_browser, from_us = os.pipe()
        to_us, from_browser = os.pipe()

        def place_pipes():
            # Neither may be overwritten before it is moved.
            read = fcntl.fcntl(to_browser, fcntl.F_DUPFD, 10)
            write = fcntl.fcntl(from_browser, fcntl.F_DUPFD, 10)
            os.dup2(read, 3)
            os.dup2(write, 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--no-first-run", "--mute-audio",
             "--disable-extensions", "--disable-background-networking",
             "--force-color-profile=srgb", "--remote-debugging-pipe",
             f"--user-data-dir={self.folder}", "about:blank"],
            preexec_fn=place_pipes, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.write, self.read = from_us, to_us
        self.buffer = b""
        self.next = 0
        self.session = None
        self.loaded = False
        target = self.send("Target.createTarget", url="about:blank")
        self.session = self.send("Target.attachToTarget", flatten=True,
                                 targetId=target["targetId"])["sessionId"]
        for domain in ["Inspector", "Page", "Runtime", "Log"]:
            self.send(f"{domain}.enable")
        self.send("Emulation.setFocusEmulationEnabled", enabled=True)
        self.resize(width, height)
        if dark:
            self.emulate("prefers-color-scheme", "dark")
        self.open(path)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.write)
        os.close(self.read)
        shutil.rmtree(self.folder, ignore_errors=True)

    def send(self, method, **parameters):
        """Calls a method of the browser, or of the page once there is one."""
        self.next += 1
        number = self.next
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.write, data):]
        while True:
            answer = self.receive()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def receive(self):
        while b"\0" not in self.buffer:
            if not select.select([self.read], [], [], MOST_SECONDS)[0]:
                raise RuntimeError(
                    f"chromium did not answer within {MOST_SECONDS} s")
            part = os.read(self.read, 1 << 20)
            if not part:
                raise RuntimeError("chromium has ended")
            self.buffer += part
        line, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(line)
        method, what = message.get("method"), message.get("params", {})
        if method == "Inspector.targetCrashed":
            # It would not answer any more.
            raise RuntimeError("the page's process has crashed")
        if method == "Runtime.exceptionThrown":
            details = what["exceptionDetails"]
            self.messages.append(
                details.get("exception", {}).get("description",
                                                 details["text"]))
        elif method == "Runtime.consoleAPICalled":
            self.messages.append(" ".join(
                str(one.get("value")) for one in what["args"]))
        elif method == "Log.entryAdded":
            self.messages.append(what["entry"]["text"])
        elif method == "Page.javascriptDialogOpening":
            self.messages.append(f"a dialog: {what['message']}")
            self.loaded = True
        elif method == "Page.loadEventFired":
            self.loaded = True
        return message

    def open(self, path):
        """Opens another page and forgets the messages of the previous one."""
        self.loaded = False
        self.messages.clear()
        url = pathlib.Path(path).resolve().as_uri()
        if problem := self.send("Page.navigate", url=url).get("errorText"):
            raise RuntimeError(f"{path}: {problem}")
        while not self.loaded:
            self.receive()

    def resize(self, width, height=900):
        self.send("Emulation.setDeviceMetricsOverride", width=width,
                  height=height, deviceScaleFactor=1, mobile=False)

    def emulate(self, feature, value, media=""):
        """Emulates a preference of the reader, on a screen or as `media`."""
        self.send("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": feature, "value": value}])

    def evaluate(self, expression):
        """The value of an expression, awaited, as JSON."""
        answer = self.send("Runtime.evaluate", expression=expression,
                           returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"]
                               .get("description"))
        return answer["result"].get("value")

    def press(self, key, **more):
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, **more)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key, **more)

    def print(self):
        """The printed page, as PDF."""
        return base64.b64decode(self.send("Page.printToPDF")["data"])

    def screenshot(self, path, whole=False):
        data = self.send("Page.captureScreenshot", format="png",
                         captureBeyondViewport=whole)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))
