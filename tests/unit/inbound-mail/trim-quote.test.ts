import { describe, expect, test } from "vitest";
import { trimQuote } from "~/features/inbound-mail/trim-quote";

const QUOTE = "On Tue, Nov 24, 2026 at 9:01 AM Support <support@help.example> wrote:\n\n> Hello\n> is it on?";

test("a text without a quote is kept as it is", () => {
  const text = "Hello,\n\nmenu > settings does not open.\n\n- one\n- two";
  expect(trimQuote({ text })).toEqual({ text, wasTrimmed: false, by: null });
});

test("where nothing is left, the whole text is kept and says so", () => {
  expect(trimQuote({ text: QUOTE })).toEqual({ text: QUOTE, wasTrimmed: false, by: "nothing_left" });
  expect(trimQuote({ text: "" })).toEqual({ text: "", wasTrimmed: false, by: null });
});

test("a line above the one that announces the quote stays, even if it begins like one", () => {
  const { text } = trimQuote({ text: `It is\non the second floor.\n${QUOTE}` });
  expect(text).toBe("It is\non the second floor.");
});

test("a signature is left out, a ruler in the middle of a text is not", () => {
  expect(trimQuote({ text: "Hello\n\n-- \nDana\n+1 555 0100" }).text).toBe("Hello");
  const long = `Hello\n--\n${"a line\n".repeat(30)}`.trim();
  expect(trimQuote({ text: long }).text).toBe(long);
});

test.each([
  "Sent from my iPhone",
  "Get Outlook for Android<https://aka.ms/x>",
  "Von meinem iPhone gesendet",
  "Gesendet mit der GMX Mail App",
  "Envoyé de mon iPad",
  "Télécharger Outlook pour iOS",
])("%s is no part of the answer", (line) => {
  expect(trimQuote({ text: `Yes.\n\n${line}` })).toEqual({ text: "Yes.", wasTrimmed: true, by: "signature" });
  expect(trimQuote({ text: `${line} I cannot print.\nAnd no scan.` }).wasTrimmed).toBe(false);
});

test("the token that lets somebody answer stays in no answer between the lines", () => {
  const quoted =
    "> — Reply above this line —\n> Which floor?\n> [t1042.k3mfq7zt2a]\n\nThe second.\n\n> And the room?\n\n12";
  const { text, by } = trimQuote({ text: quoted });
  expect(by).toBe("marker");
  expect(text).toBe("> Which floor?\n\nThe second.\n\n> And the room?\n\n12");
});

describe("what somebody forwards is kept,", () => {
  const forwarded = "---------- Forwarded message ---------\nFrom: Anna <anna@larkspur.example>\n\n> deeper\nHello";
  test("with its own quotes", () => {
    expect(trimQuote({ text: `FYI\n\n${forwarded}` }).text).toBe(`FYI\n\n${forwarded}`);
  });

  test("but not where a quote contains it", () => {
    const quote = forwarded.replace(/^/gm, "> ");
    expect(trimQuote({ text: `Thanks\n\n${quote}` }).text).toBe("Thanks");
  });
});

test("behind 64 kB nothing is trimmed, and nothing lost", () => {
  const text = `${"a line of text\n".repeat(5000)}${QUOTE}`;
  expect(trimQuote({ text }).text).toBe(text);
});

test("a link list below the quote keeps what the answer itself links to", () => {
  const links = "Links:\n------\n[1] https://help.example/tickets\n[2] https://vendor.example/manual";
  const { text } = trimQuote({ text: `See the manual [2].\n\n${QUOTE}\n\n${links}` });
  expect(text).toBe("See the manual [2].\n\nLinks:\n------\n[2] https://vendor.example/manual");
});
