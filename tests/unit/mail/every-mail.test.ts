import { describe, expect, test } from "vitest";
import { composeLetter, letterMail } from "~/features/letters/compose-letter";
import type { LetterMetrics } from "~/features/letters/model";
import { type MailData, type MailKind, renderMail } from "~/features/mail/kinds";
import { MAIL_CONTEXT as context } from "../../support/mail-context";

const site = context.site;
const path = "/verify-email?token=abc";
const invitation = { path, removePath: path, inviter: "Dana Whitlock", role: "Member", expiresOn: "Mon, Nov 30" };
const ticket = {
  ...{ number: "T-1042", title: "Printer offline", path: "/client/tickets/T-1042", status: "Open" },
  replyBy: "Monday, November 23, 10:00 AM CST",
  thread: { id: "<t1042.abc@help.example>", reply: { address: "support+t1042.abc@help.example", token: "t1042.abc" } },
};
const EVERY_KIND: { [Kind in MailKind]: MailData[Kind] } = {
  "submission-received": { firstName: "Priya", message: null, estimate: [], replyBy: null },
  "submission-notice": {
    ...{ name: "Priya", email: "priya@larkspur.example", phone: null, company: null, message: null },
    ...{ estimate: [], file: null, replyBy: null },
  },
  "submission-update": {
    ...{ name: "Priya", company: null },
    events: [{ sentence: "Jordan Vale set your submission to Contacted.", text: null }],
    ...{ facts: [], estimate: [] },
  },
  "submission-reply": { author: "Avery Quinn", message: "Hello" },
  "daily-summary": {
    day: "Wednesday, November 18",
    facts: [{ term: "New submissions", detail: "3" }],
    path: "/admin",
    ...{ choicesPath: "/profile/notifications", unsubscribePath: "/unsubscribe?token=abc" },
  },
  "import-done": { added: "3,000 tickets added", path: "/admin/import/imp_1" },
  "submissions-over-cap": { day: "2026-11-18", cap: 100, path: "/admin/submissions" },
  letter: {
    ...{ title: "October 2026", organization: "Brightsmile Dental", verdict: "In October we kept all 12 promises." },
    ...{ sentences: ["The new line is next."], numbers: [{ term: "promises kept", detail: "12 of 12" }], misses: [] },
    ...{ signedBy: "Jordan Vale", path: "/client/letters/ltr_1", unsubscribePath: null },
  },
  "email-confirmation": { path },
  "account-exists": {},
  "account-closure": { state: "declined", reason: "A ticket of yours is still open." },
  "account-closure-notice": { name: "Dana Whitlock", email: "dana@example.org", path: "/admin/privacy/usr_1" },
  archive: { state: "ready", organization: "Larkspur Row", path: "/client/organization/archive" },
  "password-reset": { path },
  "password-changed": { notMePath: path },
  "password-locked": {},
  "email-change-confirmation": { path },
  "email-change-notice": { newEmail: "new@larkspur.example", undoPath: path },
  "factor-changed": { change: "enabled", notMePath: path },
  "codes-refused": {},
  "backup-code-used": { codesLeft: 2, notMePath: path },
  "new-device": { device: "Firefox on Linux", network: "203.0.113.0", notMePath: path },
  "membership-changed": { organization: "Larkspur Row", change: "reactivated" },
  "role-changed": { role: "moderator" },
  "address-added": { address: "dana@elsewhere.example" },
  "access-changed": { change: "unlocked" },
  "factor-reset": { path },
  "mail-test": { token: "abcdefghijkl2345", path },
  "security-alert": {
    alerts: [{ term: "Priya", detail: "5 failed two-step sign-ins within an hour, last at Nov 18, 2026, 9:00" }],
    path: "/admin/security",
  },
  "factor-reset-notice": { name: "Priya", email: "priya@larkspur.example", by: "Avery Quinn", reason: "Lost phone" },
  "account-invitation": invitation,
  "organization-invitation": { ...invitation, organization: "Brightsmile Dental", isNew: false },
  "ticket-received": { ...ticket, message: "It blinks." },
  "reply-not-sent": {
    ...{ number: "T-1042", title: "Printer offline", path: "/admin/tickets/T-1042", why: "answered_first" },
    ...{ by: "Sam Lee", draft: "made", hasFiles: true },
  },
  "reply-sent-for-you": {
    ...{ number: "T-1042", title: "Printer offline", path: "/admin/tickets/T-1042", by: "Sam Lee" },
  },
  "ticket-copy": {
    ...{ ...ticket, path: "/stop-copies?token=abc", organization: "Brightsmile Dental" },
    ...{ events: [{ sentence: "Jordan Vale wrote:", text: "Try again" }], earlier: [] },
  },
  "ticket-update": {
    ...ticket,
    ...{ organization: "Brightsmile Dental", isForStaff: false },
    events: [{ sentence: "Jordan Vale wrote:", text: "Try again" }],
    earlier: [{ author: "Dana Whitlock", at: "Nov 18, 09:00", text: "It blinks." }],
    solved: { yes: "/solved?answer=yes&token=a", no: "/solved?answer=no&token=a" },
  },
};

test.each(
  Object.keys(EVERY_KIND) as MailKind[],
)("%s has the layout of all mails, and a text that says and links the same", (kind) => {
  const { text, html } = renderMail(kind, EVERY_KIND[kind], context);
  expect(html).toContain(`<p class="brand">${site.name}</p>`);
  expect(html).toContain('<p class="end">Wrenfield · (555) 555-0142 · hello@wrenfield.example</p>');
  expect(text.trimEnd().split("\n").at(-1)).toBe("Wrenfield · (555) 555-0142 · hello@wrenfield.example");
  // Nothing is loaded, and nothing runs.
  expect(html).not.toMatch(/<(img|script|link)|url\(|@import/);
  const links = [...html.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => (href ?? "").replaceAll("&amp;", "&"));
  for (const href of links) expect(text).toContain(href);
  const words = html
    .slice(html.indexOf("<main>"))
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#39;", "'");
  const said = (body: string) => body.replace(/[^\p{L}\p{N}]+/gu, "");
  const linked = links.reduce((rest, href) => rest.replace(href, ""), text);
  expect(said(linked.replace(/^\d+\. /gm, ""))).toBe(said(words));
  expect(text).not.toMatch(/Somebody|hopefully/);
});

test.each(["ticket-received", "ticket-update"] as const)("%s carries what an answer by mail is matched by", (kind) => {
  const mail = renderMail(kind, EVERY_KIND[kind], context);
  expect(mail).toMatchObject({
    subject: "[T-1042] Printer offline",
    replyTo: "support+t1042.abc@help.example",
    headers: { References: "<t1042.abc@help.example>", "X-Auto-Response-Suppress": "All" },
  });
  for (const content of [mail.text, mail.html]) {
    const [marker, quoted, token] = ["— Reply above this line —", "It blinks.", "[t1042.abc]"].map((part) =>
      content.indexOf(part),
    );
    expect(marker).toBeGreaterThan(-1);
    expect(quoted).toBeGreaterThan(Number(marker));
    expect(token).toBeGreaterThan(Number(quoted));
  }
  const noInbox = { ...EVERY_KIND[kind], thread: { ...ticket.thread, reply: null } };
  const unanswerable = renderMail(kind, noInbox as MailData[typeof kind], context);
  expect(unanswerable.replyTo).toBeUndefined();
  expect(unanswerable.text).not.toContain("Reply above");
});

test.each([
  true,
  false,
])("who has no account is told of files that a mail does not have (own ticket: %s)", (isRequester) => {
  const textWith = (files?: number) =>
    renderMail("ticket-copy", { ...EVERY_KIND["ticket-copy"], isRequester, files }, context).text;
  expect(textWith(1)).toContain("1 file is not in this mail. To get it, ask for it in your answer.");
  expect(textWith(2)).toContain("2 files are not in this mail. To get them, ask for them in your answer.");
  for (const files of [0, undefined]) expect(textWith(files)).not.toContain("not in this mail");
});

test("only periodic mail and copies can be unsubscribed from by a header, and only acknowledgements say that they answer", () => {
  const kinds = Object.keys(EVERY_KIND) as MailKind[];
  const headersOf = (kind: MailKind) => renderMail(kind, EVERY_KIND[kind], context).headers ?? {};
  expect(kinds.filter((kind) => "List-Unsubscribe" in headersOf(kind))).toEqual(["daily-summary", "ticket-copy"]);
  const answering = kinds.filter((kind) => headersOf(kind)["Auto-Submitted"] === "auto-replied");
  expect(answering).toContain("ticket-received");
  for (const kind of kinds)
    expect(["auto-replied", "auto-generated", undefined]).toContain(headersOf(kind)["Auto-Submitted"]);
});

describe("of words that strangers choose, nothing can be clicked:", () => {
  const NAMES = [
    ...["www.casino.example", "हिन्दी.com", "डाटामेल.भारत", "https://casino.example/x"],
    // Parted by what nobody sees, which may be taken out later.
    ...[
      "https:\u200e//evil%2Ecom/login",
      "https:\u200e//3221226219/",
      "https:/\u2066/evil%2Ecom",
      "https://\u200eevil%2Ecom",
    ],
    ...[
      "https:\u200b//evil%2Ecom",
      "https:\u200d//evil%2Ecom",
      "https:\u{e0041}/\ufff0/evil%2Ecom",
      "www.\ufff0casino.\u00adexample",
    ],
  ];
  const inMails: [string, (words: string) => string][] = [
    [
      "an organization and who invites to it",
      (words) => textOf("organization-invitation", { organization: words, inviter: words }),
    ],
    ["who invites to an account", (words) => textOf("account-invitation", { inviter: words })],
    [
      "an organization whose ticket staff read of",
      (words) => textOf("ticket-update", { organization: words, isForStaff: true }),
    ],
    [
      "an organization whose ticket an outside address reads of",
      (words) => textOf("ticket-copy", { organization: words }),
    ],
    [
      "who wrote, and who wrote earlier",
      (words) =>
        textOf("ticket-update", {
          events: [{ sentence: `${words} wrote:`, text: "Hello" }],
          earlier: [{ author: words, at: "Nov 20, 9:00", text: "Hello" }],
        }),
    ],
    [
      "tickets that a bundle names",
      (words) =>
        textOf("ticket-update", {
          organization: words,
          opened: [{ number: "T-1", title: words, by: words, isUrgent: false }],
        }),
    ],
    [
      "a prospect and what they write",
      (words) => textOf("submission-notice", { name: words, company: words, message: words }),
    ],
    [
      "a ticket whose promise a letter names",
      (words) => {
        const miss = { ticket: "T-1", title: words, dueAt: 0, answeredAt: null };
        const letter = composeLetter({ ...FACTS, misses: [miss] }, { sentences: [], reasons: [] }, 0);
        return textOf("letter", letterMail({ letter, signedBy: "Jordan Vale" }, path));
      },
    ],
    [
      "a prospect whose submission staff read of",
      (words) =>
        textOf("submission-update", {
          events: [{ sentence: "New request from the website.", text: words }],
          facts: [
            { term: "Phone", detail: words },
            { term: "File", detail: `${words} (1 KB)` },
          ],
        }),
    ],
    [
      "how to reach a prospect, and what they attach",
      (words) => textOf("submission-notice", { phone: words, file: { name: words, bytes: 1 } }),
    ],
    [
      "whose two-step sign-in was reset, and by whom",
      (words) => textOf("factor-reset-notice", { name: words, by: words }),
    ],
    ["who asks to close their account", (words) => textOf("account-closure-notice", { name: words })],
    [
      "what an outside address reads of a ticket",
      (words) =>
        textOf("ticket-copy", {
          events: [{ sentence: "Jordan Vale wrote:", text: words }],
          earlier: [{ author: "Dana Whitlock", at: "Nov 20, 9:00", text: words }],
        }),
    ],
  ];

  const FACTS: LetterMetrics = {
    ...{ organization: "Larkspur Row", month: "2026-11", zone: "America/Chicago", plan: "Core", people: 3 },
    ...{ withoutSecondFactor: 0, created: 3, resolved: 2, open: 1, promises: { kept: 0, missed: 1 } },
    ...{ firstResponse: { median: null, n: 0 }, misses: [], asked: [], allowances: [], waiting: [] },
  };

  /** Returns the text of a mail with other data, without our own links and addresses. */
  function textOf<Kind extends MailKind>(kind: Kind, changes: Partial<MailData[Kind]>): string {
    const { text } = renderMail(kind, { ...EVERY_KIND[kind], ...changes }, context);
    return text.replaceAll(site.origin, "").replace(/\S+@\S+/g, "");
  }

  test.each(inMails)("%s", (_, mail) => {
    for (const words of NAMES) {
      const text = mail(words);
      expect(text).toContain(words.slice(0, 3));
      // As a program reads it that leaves out what nobody sees.
      for (const read of [text, text.replace(/\p{Default_Ignorable_Code_Point}/gu, "")])
        expect(read, words).not.toMatch(/:\/\/\S|[\p{L}\p{M}]\.[\p{L}\p{M}]{2}/u);
    }
  });
});
