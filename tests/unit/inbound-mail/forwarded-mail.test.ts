import { describe, expect, test } from "vitest";
import { readForwarded } from "~/features/inbound-mail/forwarded-mail.server";
import { parseMail } from "~/features/inbound-mail/parse-mail.server";

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
