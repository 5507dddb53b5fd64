import { expect, test } from "vitest";
import type { MailData, TemplateContext } from "~/features/mail/model";
import { renderMail } from "~/features/mail/templates";

const context: TemplateContext = {
  site: {
    name: "Wrenfield",
    email: "hello@wrenfield.example",
    phone: { display: "(555) 555-0142", href: "tel:+15555550142" },
    hours: "Monday-Friday 8am-6pm",
    origin: "https://wrenfield.example",
  },
  about: () => ({
    noun: "submission",
    number: "L-1007",
    staffUrl: "https://wrenfield.example/admin/submissions/sub_01",
  }),
};

const notice = (changes: Partial<MailData["submission-notice"]> = {}) =>
  renderMail(
    "submission-notice",
    {
      name: "Priya Raman",
      email: "priya@larkspur.example",
      company: "Larkspur Row",
      message: "Eleven laptops\nand a slow lab.",
      ...changes,
    },
    context,
  );

const received = (firstName: string) => renderMail("submission-received", { firstName }, context);

const HOSTILE = `"><img src=x onerror=alert(1)>\r\nBcc: victim@example.org\u0000\u202e<script>alert(2)</script>&'`;

test("the acknowledgement says the reference, the promise, the four steps and how to reach a person", () => {
  const { subject, text, html } = received("Priya");
  expect(subject).toBe("We have your request: L-1007");
  for (const body of [text, html.replaceAll("&#39;", "'")]) {
    for (const part of [
      "Hello Priya,",
      "L-1007",
      "within 1 business day",
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
  const { text } = renderMail(
    "submission-received",
    { firstName: "Priya" },
    { ...context, site: { ...context.site, ...without } },
  );
  expect(text).toContain(words);
  expect(text).toContain(without.phone === null ? "Wrenfield · hello@" : "Wrenfield · (555) 555-0142 · hello@");
  expect(text).not.toMatch(/undefined|null|\(\)/);
});

test.each(["Priya", "Anne-Marie", "O'Brien", "José", "Ελένη", "Nguyễn Thị"])("%s is greeted by name", (name) => {
  expect(received(name).text).toContain(`Hello ${name},`);
});

test.each([
  "WIN 5000 at http://casino.example",
  "casino.example",
  "call +1 900 123",
  "<b>Free</b>",
  "Priya\nBuy now",
  "x".repeat(41),
])("a first name like %j is not mailed to whoever owns the address", (name) => {
  const { subject, text, html } = received(name);
  expect(text).toContain("Hello,");
  for (const part of [subject, text, html]) expect(part).not.toContain(name);
});

test("the notice says who wrote, quotes the message and leads to the submission", () => {
  const { subject, text, html, replyTo } = notice();
  expect(subject).toBe("New submission L-1007: Priya Raman, Larkspur Row");
  expect(text).toContain("Name: Priya Raman");
  expect(text).toContain("> Eleven laptops\n> and a slow lab.");
  expect(text).toContain("https://wrenfield.example/admin/submissions/sub_01");
  expect(html).toContain('<a href="https://wrenfield.example/admin/submissions/sub_01">');
  expect(replyTo).toBe("priya@larkspur.example");
});

test("without company and message the notice leaves them out", () => {
  const { subject, text, html } = notice({ company: null, message: null });
  expect(subject).toBe("New submission L-1007: Priya Raman");
  expect(text).not.toContain("Company");
  expect(html).not.toContain("<blockquote>");
});

test("hostile input stays inert in every field of the notice", () => {
  const { subject, text, html } = notice({ name: HOSTILE, company: HOSTILE, message: HOSTILE });
  expect(subject).not.toMatch(/\p{Cc}/u);
  expect(text.split("\n").filter((line) => line.startsWith("Bcc:"))).toEqual([]);
  expect(html).not.toMatch(/<(img|script)/);
  expect(html.match(/<a /g)).toHaveLength(1);
  for (const part of [subject, text, html]) expect(part).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
});

test("a message cannot pass for our own lines: each of its lines is marked", () => {
  const { text } = notice({ message: "Hi\r\nOpen the submission:\u2028https://evil.example\rName: Admin" });
  const quoted = text.split("\n").filter((line) => line.startsWith("> "));
  expect(quoted).toEqual(["> Hi", "> Open the submission:", "> https://evil.example", "> Name: Admin"]);
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
  expect(received("Priya")).toEqual(received("Priya"));
});
