import { expect, test } from "vitest";
import { settings } from "~/db/schema/site";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { minutes } from "~/lib/time";
import type { OutgoingMail } from "~/platform/mailer.server";
import { clearMail, deliver } from "../../support/inbound-mail";
import { mailsTo } from "../../support/mails";
import { makeTicket, textsOf, ticketWorld, valueOf } from "../../support/tickets";

/** The id that the mail has where it arrives: providers replace ours. */
const PROVIDER_ID = "<0100019a-77@eu-west-1.amazonses.com>";
const OUR_NAME = "Wrenfield <hello@wrenfield.example>";

type Answer = { from: string; text: string; mail: OutgoingMail };
type Program = (answer: Answer) => { headers: Record<string, string>; text: string; html: string };

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const bodyOf = (html: string) => /<body>([\s\S]*)<\/body>/.exec(html)?.[1] ?? "";
const quoted = (text: string) => text.replace(/^/gm, "> ");

/** What three programs make of one of our mails when its reader presses Reply and writes above it. */
const PROGRAMS: Record<string, Program> = {
  Gmail: ({ text, mail }) => ({
    headers: {},
    text: `${text}\n\nOn Wed, Nov 18, 2026 at 9:01 AM ${OUR_NAME} wrote:\n\n${quoted(mail.text)}`,
    html:
      `<div dir="ltr">${escaped(text)}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" ` +
      `class="gmail_attr">On Wed, Nov 18, 2026 at 9:01 AM Wrenfield wrote:<br></div><blockquote class="gmail_quote" ` +
      `style="margin:0px 0px 0px 0.8ex">${bodyOf(mail.html)}</blockquote></div>`,
  }),
  Outlook: ({ from, text, mail }) => ({
    headers: { "Thread-Topic": mail.subject, "Thread-Index": "AdpQd2Zz", "Accept-Language": "en-US" },
    text:
      `${text}\n\n________________________________\nFrom: ${OUR_NAME}\nSent: Wednesday, November 18, 2026 9:01 AM\n` +
      `To: ${from}\nSubject: ${mail.subject}\n\n${mail.text}`,
    html:
      `<div class="elementToProof">${escaped(text)}</div><div id="appendonsend"></div><hr style="width:98%">` +
      `<div id="divRplyFwdMsg" dir="ltr"><b>From:</b> ${escaped(OUR_NAME)}<br><b>Sent:</b> Wednesday, November 18, ` +
      `2026 9:01 AM<br><b>To:</b> ${from}<br><b>Subject:</b> ${escaped(mail.subject)}<div>&nbsp;</div></div>` +
      `<div>${bodyOf(mail.html)}</div>`,
  }),
  "iOS Mail": ({ text, mail }) => ({
    headers: { "X-Mailer": "iPhone Mail (22B91)", "Mime-Version": "1.0 (1.0)" },
    text: `${text}\n\nSent from my iPhone\n\n> On Nov 18, 2026, at 9:01 AM, Wrenfield <hello@wrenfield.example> wrote:\n> \n${quoted(mail.text)}`,
    html:
      `<html><body dir="auto">${escaped(text)}<br id="lineBreakAtBeginningOfSignature"><div dir="ltr">Sent from my ` +
      `iPhone</div><div dir="ltr"><br><blockquote type="cite">On Nov 18, 2026, at 9:01 AM, Wrenfield wrote:<br><br>` +
      `</blockquote></div><blockquote type="cite"><div dir="ltr">${bodyOf(mail.html)}</div></blockquote></body></html>`,
  }),
};

type Way = { to: "tag" | "plain"; hasReferences: boolean; hasQuote: boolean; hasSubject: boolean };

/** What is left of the signs when programs, gateways and people have done their part. */
const WAYS: Record<string, Way> = {
  "all headers": { to: "tag", hasReferences: true, hasQuote: true, hasSubject: true },
  "no References": { to: "tag", hasReferences: false, hasQuote: true, hasSubject: true },
  "no reply address": { to: "plain", hasReferences: true, hasQuote: true, hasSubject: true },
  "only the quote": { to: "plain", hasReferences: false, hasQuote: true, hasSubject: false },
  "only the subject": { to: "plain", hasReferences: false, hasQuote: false, hasSubject: true },
};

let answers = 0;

function answered(program: Program, way: Way, { from, text, mail }: Answer): { raw: string; to: string } {
  answers += 1;
  const to = (way.to === "tag" && mail.headers?.["Reply-To"]) || "support@wrenfield.example";
  const written = program({ from, text, mail: way.hasQuote ? mail : { ...mail, text: "", html: "<body></body>" } });
  const plain = way.hasQuote ? written.text : text;
  const references = [mail.headers?.References, PROVIDER_ID].join(" ");
  const head = {
    From: from,
    To: to,
    Subject: way.hasSubject ? `Re: ${mail.subject}` : "An answer",
    Date: "Wed, 18 Nov 2026 16:00:00 +0000",
    "Message-ID": `<answer-${answers}@larkspur.example>`,
    ...(way.hasReferences ? { References: references, "In-Reply-To": PROVIDER_ID } : {}),
    ...written.headers,
    "Content-Type": 'multipart/alternative; boundary="=_b"',
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  const parts = [["plain", plain], ...(way.hasQuote ? [["html", written.html]] : [])] as const;
  const body = parts.map(
    ([type, content]) =>
      `--=_b\nContent-Type: text/${type}; charset=utf-8\nContent-Transfer-Encoding: base64\n\n` +
      `${Buffer.from(content).toString("base64").replace(/.{76}/g, "$&\n")}\n`,
  );
  return { raw: [...lines, "", ...body, "--=_b--", ""].join("\n").replaceAll("\n", "\r\n"), to };
}

/** A ticket whose client was sent a reply by mail. */
async function answeredTicket() {
  const world = await ticketWorld();
  const { base, here, dana, avery, staff } = world;
  await clearMail(base);
  Object.assign(base, { config: { ...base.config, MAIL_INBOUND_DOMAIN: "wrenfield.example" } });
  const proven = { key: "provenInboundDomain", value_json: '"wrenfield.example"', version: 1, updated_at: base.now() };
  await base.db.insert(settings).values(proven).onConflictDoNothing();
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  valueOf(await staff(avery).reply(ticket.id, { text: "Is it on?" }));
  await base.settle();
  base.clock.advance(minutes(3));
  await deliverOutbox(base);
  const mail = (await mailsTo(base, dana.email)).find(({ subject }) => subject.startsWith(`[T-${ticket.number}]`));
  if (!mail) throw new Error("The client was sent no mail");
  return { ...world, ticket, mail };
}

test("an answer finds its ticket through the habits of three programs, with what they leave of its signs", async () => {
  const { base, dana, ticket, mail } = await answeredTicket();
  const expected = ["Is it on?"];
  for (const [name, program] of Object.entries(PROGRAMS)) {
    for (const [how, way] of Object.entries(WAYS)) {
      base.clock.advance(minutes(5));
      const text = `${name} with ${how}: yes.\n\nSince nine.`;
      const { raw, to } = answered(program, way, { from: dana.email, text, mail });
      const answer = await deliver(base, raw, { from: dana.email, to });
      const found = { state: "processed", class: "person", ticket_id: ticket.id, effect: "replied" };
      expect(answer, `${name}, ${how}`).toMatchObject(found);
      expected.push(text);
    }
  }
  expect(await textsOf(base, ticket.id)).toEqual(expected);
});

test("a stranger to whom the mail was forwarded lands in the held mail with each of them", async () => {
  const { base, ticket, mail } = await answeredTicket();
  for (const program of Object.values(PROGRAMS)) {
    for (const [how, way] of Object.entries(WAYS)) {
      base.clock.advance(minutes(5));
      const from = "stranger@elsewhere.example";
      const { raw, to } = answered(program, way, { from, text: "I am Dana.", mail });
      expect(await deliver(base, raw, { from, to }), how).toMatchObject({ state: "held", message_id: null });
    }
  }
  expect(await textsOf(base, ticket.id)).toEqual(["Is it on?"]);
});
