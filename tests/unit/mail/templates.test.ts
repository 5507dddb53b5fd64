import { expect, test } from "vitest";
import { parseParams } from "~/features/mail/enqueue-mail.server";
import { type MailData, renderMail } from "~/features/mail/kinds";
import type { TemplateContext } from "~/features/mail/mail-kind";
import { MAIL_CONTEXT as context, MAIL_CONTEXT } from "../../support/mail-context";

const ESTIMATE = [
  { term: "Plan", detail: "Core" },
  { term: "Monthly total", detail: "$2,096.60" },
];

const notice = (changes: Partial<MailData["submission-notice"]> = {}) =>
  renderMail(
    "submission-notice",
    {
      name: "Priya Raman",
      email: "priya@larkspur.example",
      phone: "(555) 555-0177",
      company: "Larkspur Row",
      message: "Eleven laptops\nand a slow lab.",
      estimate: ESTIMATE,
      file: { name: "plan.pdf", bytes: 34_816 },
      replyBy: "Thursday, November 19, 9:00 AM CST",
      ...changes,
    },
    context,
  );

const received = (changes: Partial<MailData["submission-received"]> = {}, site = context.site) =>
  renderMail(
    "submission-received",
    {
      firstName: "Priya",
      message: "Eleven laptops\nand a slow lab.",
      estimate: ESTIMATE,
      replyBy: "Thursday, November 19, 9:00 AM CST",
      ...changes,
    },
    { ...context, site },
  );

const HOSTILE = `"><img src=x onerror=alert(1)>\r\nBcc: victim@example.org\u0000\u202e<script>alert(2)</script>&'`;

test("the acknowledgement says the reference, the promise, what was sent, the four steps and how to reach a person", () => {
  const { subject, text, html } = received();
  expect(subject).toBe("We have your request: L-1007");
  for (const body of [text, html.replaceAll("&#39;", "'")]) {
    for (const part of [
      "Hello Priya,",
      "L-1007",
      "within 1 business day: by Thursday, November 19, 9:00 AM CST.",
      "Your message",
      "Eleven laptops",
      "and a slow lab.",
      "Your estimate",
      "$2,096.60",
      "What to Expect",
      "Initial contact",
      "Assessment discussion",
      "Custom proposal",
      "Implementation",
      "(555) 555-0142",
      "hello@wrenfield.example",
    ]) {
      expect(body).toContain(part);
    }
  }
});

test.each<[Partial<TemplateContext["site"]>, string]>([
  [{ hours: "" }, "call (555) 555-0142 or write to hello@wrenfield.example, and"],
  [{ phone: null, hours: "" }, "If it can't wait, write to hello@wrenfield.example, and"],
  [{ phone: null }, "If it can't wait, write to hello@wrenfield.example, and"],
])("a site that leaves out %j still says how to reach a person", (without, words) => {
  const { text } = received({}, { ...context.site, ...without });
  expect(text).toContain(words);
  expect(text).toContain(without.phone === null ? "Wrenfield · hello@" : "Wrenfield · (555) 555-0142 · hello@");
  expect(text).not.toMatch(/undefined|null|\(\)/);
});

test.each(["Priya", "Anne-Marie", "O'Brien", "José", "Ελένη", "Nguyễn Thị"])("%s is greeted by name", (name) => {
  expect(received({ firstName: name }).text).toContain(`Hello ${name},`);
});

test.each([
  "WIN 5000 at http://casino.example",
  "casino.example",
  "call +1 900 123",
  "<b>Free</b>",
  "Priya\nBuy now",
  "x".repeat(41),
])("a first name like %j is not mailed to whoever owns the address", (name) => {
  const { subject, text, html } = received({ firstName: name });
  expect(text).toContain("Hello,");
  for (const part of [subject, text, html]) expect(part).not.toContain(name);
});

test("the notice carries all that an answer takes, and leads to the submission", () => {
  const { subject, text, html, replyTo } = notice();
  expect(subject).toBe("New submission L-1007: Priya Raman, Larkspur Row");
  for (const fact of [
    "Name: Priya Raman",
    "Phone: (555) 555-0177",
    "File: plan. pdf (34 KB, not virus-scanned)",
    "Reply by: Thursday, November 19, 9:00 AM CST",
    "Estimate\nPlan: Core\nMonthly total: $2,096.60",
  ]) {
    expect(text).toContain(fact);
  }
  expect(text).toContain("> Eleven laptops\n> and a slow lab.");
  expect(text).toContain("https://wrenfield.example/admin/submissions/sub_01");
  expect(html).toContain('<a href="https://wrenfield.example/admin/submissions/sub_01">');
  expect(replyTo).toBe("priya@larkspur.example");
});

test("what a visitor left out, the notice leaves out", () => {
  const { subject, text, html } = notice({ company: null, phone: null, message: null, file: null, estimate: [] });
  expect(subject).toBe("New submission L-1007: Priya Raman");
  expect(text).not.toMatch(/Company|Phone|File|Estimate/);
  expect(html).not.toContain("<blockquote>");
});

test("hostile input stays inert in every field of the notice", () => {
  const { subject, text, html } = notice({
    name: HOSTILE,
    company: HOSTILE,
    phone: HOSTILE,
    message: HOSTILE,
    file: { name: HOSTILE, bytes: 1 },
  });
  expect(subject).not.toMatch(/\p{Cc}/u);
  expect(text.split("\n").filter((line) => line.startsWith("Bcc:"))).toEqual([]);
  expect(html).not.toMatch(/<(img|script)/);
  expect(html.match(/<a /g)).toHaveLength(1);
  for (const part of [subject, text, html]) expect(part).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
});

test("a message cannot pass for our own lines: each of its lines is marked", () => {
  const { text } = notice({ message: "Hi\r\nOpen the submission:\u2028https://evil.example\rName: Admin" });
  const quoted = text.split("\n").filter((line) => line.startsWith("> "));
  expect(quoted).toEqual(["> Hi", "> Open the submission:", "> https:// evil. example", "> Name: Admin"]);
});

test("a long message is quoted by its beginning, a long name cut in the subject", () => {
  const { subject, text } = notice({ name: "Long ".repeat(60), message: "word ".repeat(2_000) });
  expect([...subject].length).toBeLessThanOrEqual(200);
  expect(text.length).toBeLessThan(1_500);
  expect(text).toContain("…");
});

test.each([
  "a,b@x.example",
  "<a@x.example",
  "plain",
  "a@x.example\r\nBcc: b@y.example",
])("an address like %j is shown but never answered to", (email) => {
  expect(notice({ email }).replyTo).toBeUndefined();
});

test("the same data always give the same mail", () => {
  expect(notice()).toEqual(notice());
  expect(received()).toEqual(received());
});

test("without a message, an estimate or a promise to come, the acknowledgement says nothing of them", () => {
  const { text, html } = received({ message: null, estimate: [], replyBy: null });
  expect(text).toContain("we reply within 1 business day.");
  expect(text).not.toMatch(/Your message|Your estimate|null/);
  expect(html).not.toContain("<blockquote>");
});

test.each([
  ["https://casino.example/win?now=1", "https:// casino. example/win?now=1"],
  ["www.casino.example", "www. casino. example"],
  ["priya@casino.example", "priya@casino. example"],
  ["casino。example", "casino. example"],
  // Letters with combining marks, joiners that nobody sees, and pictures are parts of names too.
  ["हिन्दी.com", "हिन्दी. com"],
  ["डाटामेल.भारत", "डाटामेल. भारत"],
  ["क्‍ष.कॉम", "क्‍ष. कॉम"],
  ["casino\u200d.example", "casino\u200d. example"],
  ["casino.\u200dexample", "casino. \u200dexample"],
  ["casino.e\u0301xample", "casino. e\u0301xample"],
  ["cafe\u0301.example", "cafe\u0301. example"],
  ["💩.la", "💩. la"],
  ["casino-.example", "casino-. example"],
  ["http://203.0.113.7/win", "http:// 203. 0. 113.7/win"],
])("of %j in a message, nothing can be clicked in the acknowledgement", (message, shown) => {
  expect(received({ message }).text).toContain(`> ${shown}\n`);
});

test("an ordinary message is repeated word for word", () => {
  const message = "We are 12 people, e.g. nurses; 2.5 days a week. Wi-Fi (v6) drops... Help!";
  expect(received({ message }).text).toContain(`> ${message}\n`);
});

test("hostile input stays inert in the acknowledgement", () => {
  const { text, html } = received({ firstName: HOSTILE, message: HOSTILE });
  expect(html).not.toMatch(/<(img|script|a) /);
  expect(text.split("\n").filter((line) => line.startsWith("Bcc:"))).toEqual([]);
});

test("a PNG logo stands above the sheet with the name as its text, and the text of the mail stays without it", () => {
  const withLogo = (logo: { src: string; width: number; height: number } | null) =>
    received({}, { ...context.site, name: 'Acme & "Sons"', logo });
  const head = ({ html }: { html: string }) => /<p class="brand">(.*)<\/p>/.exec(html)?.[1];
  expect(head(withLogo({ src: "/brand/logo-1.png", width: 400, height: 100 }))).toBe(
    '<img src="https://wrenfield.example/brand/logo-1.png" alt="Acme &amp; &quot;Sons&quot;" width="128" height="32">',
  );
  expect(head(withLogo({ src: "/brand/logo-1.png", width: 64, height: 64 }))).toBe(
    '<img src="https://wrenfield.example/brand/logo-1.png" alt="" width="32" height="32"> Acme &amp; &quot;Sons&quot;',
  );
  expect(head(withLogo({ src: "/brand/logo-1.webp", width: 64, height: 64 }))).toBe("Acme &amp; &quot;Sons&quot;");
  expect(withLogo({ src: "/brand/logo-1.png", width: 64, height: 64 }).text).toBe(withLogo(null).text);
});

test.each([
  ["suspended", "Your access to Larkspur Row was suspended", false],
  ["removed", "You were removed from Larkspur Row", false],
  ["reactivated", "You have access to Larkspur Row again", true],
  ["made_admin", "You are an admin of Larkspur Row now", true],
  ["made_member", "You are a member of Larkspur Row now", true],
  ["made_owner", "You own Larkspur Row now", true],
  ["no_longer_owner", "You no longer own Larkspur Row", true],
] as const)("%s is told in the subject; only who has access is led to the portal", (change, subject, leads) => {
  const mail = renderMail("membership-changed", { organization: "Larkspur Row", change }, MAIL_CONTEXT);
  expect(mail.subject).toBe(subject);
  expect(mail.text.includes("https://wrenfield.example/client")).toBe(leads);
});

const namesOf = (author: string, message: string) => {
  const { text } = renderMail("submission-reply", { author, message }, context);
  return text.split(author).length - 1;
};

test.each([
  ["nobody has signed", "Hello Priya,\n\nMonday works.", true],
  ["a sentence only ends with the name", "Hello,\nplease ask for Jordan Vale", true],
  ["a name stands in the middle", "Jordan Vale\nis away.\nMonday works.\nUntil then\nall the best", true],
  ["the name stands below", "Monday works.\n\nKind regards\nJordan Vale", false],
  ["the first name stands below", "Monday works.\n\nBest, Jordan", false],
  ["company and phone follow", "Monday works.\n\n– jordan vale\nWrenfield\n(555) 555-0142", false],
])("the author of a reply is named once: %s", (_, message, isAdded) => {
  expect(namesOf("Jordan Vale", message) - (message.split("Jordan Vale").length - 1)).toBe(isAdded ? 1 : 0);
});

test.each([
  ["Anne-Marie Smith", "Monday works.\nBest, Anne-Marie Smith", 1],
  ["Anne-Marie Smith", "Monday works.\n- Anne-Marie Smith", 1],
  ["Anne-Marie Smith", "Monday works.\nAnne-Marie", 0],
  ["Jean-Luc", "Monday works.\n-Jean-Luc", 1],
  ["Jean-Luc", "Monday works.\nBest - Jean-Luc.", 1],
  ["Marie", "Monday works.\nAsk Anne-Marie", 2],
])("%s, whose name or message has a hyphen, is named once: %j", (author, message, names) => {
  expect(namesOf(author, message)).toBe(names);
});

test("a mail about the daily limit that names no page, queued by the version before, links to what is held", () => {
  const stored = JSON.stringify({ to: "team@it.example", data: { day: "2026-03-09", cap: 100 } });
  expect(parseParams("submissions-over-cap", stored).data.path).toBe("/admin/submissions?view=held");
});

test("an invitation to an organization that was queued by the version before is headed like that of a new one", () => {
  const data = { path: "/invite", removePath: "/invite", inviter: "Jo", expiresOn: "Wed", role: "Member" };
  const stored = JSON.stringify({ to: "jo@it.example", data: { ...data, organization: "Larkspur Row" } });
  expect(parseParams("organization-invitation", stored).data.isNew).toBe(true);
});
