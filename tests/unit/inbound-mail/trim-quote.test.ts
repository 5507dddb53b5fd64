import { describe, expect, test } from "vitest";
import { readForwarded } from "~/features/inbound-mail/forwarded-mail.server";
import { parseMail } from "~/features/inbound-mail/parse-mail.server";
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

async function originalSender(subject: string, lines: readonly string[], type = "text/plain"): Promise<string | null> {
  const head = `From: Tess <tess@wrenfield.example>\r\nSubject: ${subject}\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n`;
  const body = new TextEncoder().encode(head + lines.join("\r\n"));
  const mail = await parseMail({ body, size: body.length });
  if (!mail.ok) throw new Error(mail.code);
  return (await readForwarded(mail.value))?.sender.address ?? null;
}

const FORWARDED = [
  "---------- Forwarded message ---------",
  "From: Kim Boss <kim@brightsmile.example>",
  "Date: Wed, Nov 18, 2026 at 9:12 AM",
  "Subject: Scanner",
  "To: Dana Ortiz <dana@brightsmile.example>",
  "",
  "Please have this looked at.",
];

const OUTLOOK = [
  "From: Dana Ortiz <dana@brightsmile.example>",
  "Sent: Wednesday, November 18, 2026 9:30 AM",
  "To: Tess Tech <tess@wrenfield.example>",
  "Subject: Scanner",
  "",
  "See below.",
  "",
];

const GMAIL = "On Wed, Nov 18, 2026 at 9:30 AM Dana Ortiz <dana@brightsmile.example> wrote:";

const quoted = (lines: readonly string[]) => lines.map((line) => `> ${line}`);

const html = (lines: readonly string[]) => lines.map((line) => `${line.replaceAll("<", "&lt;")}<br>`);

describe("a reply of staff is no forward, though the client's mail that it quotes forwards another:", () => {
  const answer = ["We look at it today.", ""];
  test.each<[program: string, subject: string, lines: string[], type?: string]>([
    ["Outlook", "RE: Scanner", [...answer, ...OUTLOOK, ...FORWARDED]],
    ["Outlook in German, to a forward", "AW: WG: Scanner", [...answer, ...OUTLOOK, ...FORWARDED]],
    ["Outlook, the subject written anew", "New scanner", [...answer, ...OUTLOOK, ...FORWARDED]],
    ["Outlook, with its ruler", "New scanner", [...answer, "-----Original Message-----", ...OUTLOOK, ...FORWARDED]],
    ["Gmail", "Re: Fwd: Scanner", [...answer, GMAIL, "", ...quoted(FORWARDED)]],
    ["Gmail, the subject written anew", "New scanner", [...answer, GMAIL, "", ...quoted(FORWARDED)]],
    ["Thunderbird, answered below the quote", "Re: Scanner", [GMAIL, ...quoted(FORWARDED), "", ...answer]],
    ["a quote without a sign, in an answer that says so itself", "Re: Scanner", [...answer, ...FORWARDED]],
    ["a quote that nothing announces", "New scanner", [...answer, ...quoted(FORWARDED)]],
    [
      "Gmail in HTML only, in a language that we do not know",
      "New scanner",
      [
        ...[
          "<div>We look at it today.</div>",
          '<div class="gmail_quote"><div>Dana kirjoitti</div><blockquote class="gmail_quote">',
        ],
        ...["See below.<br>", ...html(FORWARDED), "</blockquote></div>"],
      ],
      "text/html",
    ],
  ])("%s", async (_program, subject, lines, type) => {
    expect(await originalSender(subject, lines, type)).toBeNull();
  });
});

test("what is forwarded is found under another subject too, below the words of who forwards it", async () => {
  expect(await originalSender("Scanner again", ["Old model.", "", ...FORWARDED])).toBe("kim@brightsmile.example");
  const inHtml = ["<div>Old model.</div>", '<div class="gmail_quote">', ...html(FORWARDED), "</div>"];
  expect(await originalSender("Scanner again", inHtml, "text/html")).toBe("kim@brightsmile.example");
  expect(await originalSender("Fwd: Re: Scanner", [...OUTLOOK, "Old model."])).toBe("dana@brightsmile.example");
});
