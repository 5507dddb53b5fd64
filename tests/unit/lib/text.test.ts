import { describe, expect, test } from "vitest";
import { ConfirmSignUpForm, FullNameField } from "~/features/auth/forms.server";
import { OwnOrganizationForm } from "~/features/organization-settings/actions.server";
import { CreateForm } from "~/features/portal/actions.server";
import { rulesFor, signInReason } from "~/lib/areas";
import { csvLine } from "~/lib/csv";
import { isEmailAddress, mailboxOf, mailtoHref, normalizeEmail, telHref } from "~/lib/email";
import { isId, sortableId } from "~/lib/ids";
import { formatCents, formatDollars, percentOfCents } from "~/lib/numbers";
import { locationOf, ownPagePath, safePath, safeReturnPath } from "~/lib/safe-path";
import { asShown, FORMER_MEMBER, firstNameOf, initialsOf, snippetOf, visibleName } from "~/lib/text";
import { splitAtLinks } from "~/ui/message";

/** Returns what a row shows of a message: the database reads one character more than fits. */
const shownOf = (message: string | null, max: number) => snippetOf(message?.slice(0, max + 1) ?? null, max);

test.each([
  ["Hello there", 11, "Hello there"],
  ["Hello there, all of you", 11, "Hello…"],
  ["Hello there all", 13, "Hello there…"],
  ["One\r\n\ttwo   three", 40, "One two three"],
  ["One\r\n\r\n\r\n\r\ntwo three", 12, "One…"],
  ["x".repeat(20), 10, `${"x".repeat(9)}…`],
  [" \n ", 10, null],
  [null, 10, null],
])("of %j a row with room for %i characters shows %j", (message, max, shown) => {
  expect(shownOf(message, max)).toBe(shown);
});

test.each([
  ["=1+1", `"'=1+1"`],
  ["+1 555", `"'+1 555"`],
  ["-5", `"'-5"`],
  ["@cmd", `"'@cmd"`],
  ["\tx", `"'\tx"`],
  ["\rx", `"'\rx"`],
  ["\nx", `"'\nx"`],
  ["＝1", `"'＝1"`],
  ["a=b", `"a=b"`],
  ['say "hi"', `"say ""hi"""`],
  ["a,b\nc", `"a,b\nc"`],
  [null, `""`],
  [12, `"12"`],
])("the cell %j is written as %s", (cell, written) => {
  expect(csvLine([cell])).toBe(`${written}\r\n`);
});

test("cells are separated by commas", () => {
  expect(csvLine(["a", 1, null])).toBe('"a","1",""\r\n');
});

test("amounts are formatted with cents and thousands separators", () => {
  expect(formatCents(0)).toBe("$0.00");
  expect(formatCents(5)).toBe("$0.05");
  expect(formatCents(209_660)).toBe("$2,096.60");
  expect(formatCents(123_456_789)).toBe("$1,234,567.89");
  expect(formatCents(99_999)).toBe("$999.99");
});

test("whole dollars are rounded half up", () => {
  expect(formatDollars(2_765)).toBe("$28");
  expect(formatDollars(5_215)).toBe("$52");
  expect(formatDollars(8_015)).toBe("$80");
  expect(formatDollars(150)).toBe("$2");
  expect(formatDollars(100_000)).toBe("$1,000");
});

test("a percentage of an amount is a whole number of cents", () => {
  expect(percentOfCents(7_900, 35)).toBe(2_765);
  expect(percentOfCents(7_950, 35)).toBe(2_783);
  expect(percentOfCents(1, 35)).toBe(0);
  expect(percentOfCents(0, 35)).toBe(0);
});

test("an id that we made has the form of one, with its own prefix only", () => {
  const id = sortableId("sub", 1_800_000_000_000, crypto.getRandomValues(new Uint8Array(16)));
  expect(isId("sub", id)).toBe(true);
  expect(isId("note", id)).toBe(false);
});

test.each([
  "",
  "sub",
  "sub_",
  "sub_\n1",
  "sub_1\n",
  "sub_%0a",
  "sub_A",
  "sub_../1",
  "sub_é",
  `sub_${"1".repeat(41)}`,
])("%j is no id", (text) => {
  expect(isId("sub", text)).toBe(false);
});

test.each([
  ["/profile", true],
  ["/profile/mfa", true],
  ["/admin/settings?tab=data", true],
  ["/admin/settings-of-old", false],
  ["/admin", false],
  [null, false],
])("after a redirect from %s the sign-in page gives settings as the reason: %s", (path, hasReason) => {
  expect(signInReason(path)).toBe(hasReason ? "Please log in to view settings" : undefined);
});

test("only the contact form accepts a file, and only the list of submissions long posts", () => {
  expect(rulesFor("/contact").bodyLimit).toBeGreaterThan(5 * 1024 * 1024);
  expect(rulesFor("/admin/submissions/delete").bodyLimit).toBe(256 * 1024);
  expect(rulesFor("/auth").bodyLimit).toBe(64 * 1024);
  expect(rulesFor("/nothing").bodyLimit).toBe(64 * 1024);
});

const linksIn = (text: string) =>
  splitAtLinks(text)
    .filter(({ isLink }) => isLink)
    .map((part) => part.text);

test("the parts of a text are the text again, line breaks and all", () => {
  const text = "See https://example.com/a?b=1&c=2.\n\nOr <b>http://example.org</b> (https://example.net/x), please.";
  expect(
    splitAtLinks(text)
      .map((part) => part.text)
      .join(""),
  ).toBe(text);
});

test.each([
  ["See https://example.com/a?b=1&c=2.", ["https://example.com/a?b=1&c=2"]],
  ["(http://example.com/help), “HTTPS://Example.com”!", ["http://example.com/help", "HTTPS://Example.com"]],
  ["https://en.wikipedia.org/wiki/Port_(network)", ["https://en.wikipedia.org/wiki/Port_(network)"]],
  ["http://192.168.1.1:8080/#dhcp and http://printer", ["http://192.168.1.1:8080/#dhcp", "http://printer"]],
  ["<https://example.com/a>", ["https://example.com/a"]],
])("in %j, %j can be followed", (text, links) => {
  expect(linksIn(text)).toEqual(links);
});

test.each([
  ["an address without its protocol", "example.com, www.example.com"],
  ["a script", "javascript:alert(1) data:text/html,x file:///etc/passwd"],
  ["a user name that looks like a website", "https://bank.example@evil.example/"],
  ["letters that look like others", "https://аpple.com/"],
  ["a protocol alone", "https:// and http://."],
])("%s is no link", (_, text) => {
  expect(linksIn(text)).toEqual([]);
});

test("a link ends before a character that turns the direction of the text", () => {
  expect(linksIn("https://evil.example/\u202emoc.knab")).toEqual(["https://evil.example/"]);
});

test("a long text of one character is read in one go", () => {
  expect(splitAtLinks(`https://example.com/${".".repeat(20_000)}`)).toHaveLength(2);
});

test.each([
  ["Dana Whitlock", "DW"],
  ["  Wu ", "W"],
  ["sam@clinic.example", "S"],
  ["Élodie van der Meer", "ÉM"],
  ["", ""],
])("%j has the initials %j", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test.each([
  ["Dr. Ines Valverde-Montgomery", "Ines"],
  ["  Dana   Ortiz ", "Dana"],
  ["Prof.", "Prof."],
  [FORMER_MEMBER, "Former member"],
])("%j is addressed as %s", (name, first) => {
  expect(firstNameOf(name)).toBe(first);
});

const UNSEEN = ["", "   ", "\u200b", "\u200e \u2060", "\u00ad\u00ad", "\u3164", "\u2800", "\u202e", "\u0301"];

describe("a name of which nothing is seen is no name", () => {
  test.each(UNSEEN)("of a person: %j", (name) => {
    expect(FullNameField.safeParse(name).error?.issues).toMatchObject([{ message: "Full name is required" }]);
  });

  test.each(UNSEEN)("of an organization: %j", (name) => {
    const settings = { name, description: "", visibility: "all", default_role: "member", version: "1" };
    for (const form of [CreateForm.safeParse({ name }), OwnOrganizationForm.safeParse(settings)]) {
      expect(form.error?.issues).toMatchObject([{ path: ["name"], message: "Name is required" }]);
    }
  });

  test("and a sign-up with one has no organization", () => {
    const typed = { full_name: "Jo", password: "x", confirm_password: "x", organization_name: "\u200b" };
    expect(ConfirmSignUpForm.parse(typed).organizationName).toBe("");
  });
});

test.each([
  "Zoë",
  "محمد",
  "נועה",
  "می\u200cخواهم",
  "李",
  "👩\u200d💻",
  "O'Brien-Łuk & Søn",
  "\u200eAcme",
])("%s is a name as it is typed", (name) => {
  expect(visibleName(` ${name} `)).toBe(name);
});

test("a name does not turn the sentence around it", () => {
  expect(visibleName("Ann\u202etxe.exe\u202c and \u2067Ben\u2069")).toBe("Anntxe.exe and Ben");
});

test.each([
  ["Acme  Dental", "Acme Dental"],
  ["Acme\u00a0Dental", "Acme Dental"],
  ["\u200eAcme\u200b Dental\u200f", "Acme Dental"],
  ["Cafe\u0301", "Café"],
])("%j is read as %s", (stored, read) => {
  expect(asShown(stored)).toBe(asShown(read));
});

test.each([
  "a@b.example",
  "first.last+tag@sub.domain.example",
  "o'neil_jr=x@b.example",
  "ü@straße.example",
  " padded@clinic.example ",
])("%j is an address", (text) => expect(isEmailAddress(text)).toBe(true));

test.each([
  "",
  "plain",
  "@b.example",
  "a@",
  "a@b",
  "a b@c.example",
  "a@b..example",
  "a@.example",
  "a@b@c.example",
])("%j is not an address", (text) => expect(isEmailAddress(text)).toBe(false));

test.each([
  "a?bcc=evil@b.example",
  "a&subject=paid@b.example",
  "a#b@c.example",
  '"a?b"@c.example',
  "a,evil@b.example",
  "Dana <dana@b.example>",
  "a\u0000@b.example",
  "a\u202Eb@c.example",
  "a@b.example?subject=x",
  "a@b.example/path",
  "a@b.example#x",
  "a@b&c.example",
])("%j is not an address, because a link or a mail system reads more than one recipient in it", (text) =>
  expect(isEmailAddress(text)).toBe(false));

test("a million dots are judged in linear time: by their square, this would not come to an end", () => {
  expect(isEmailAddress(`a@${".".repeat(1_000_000)}b`)).toBe(false);
});

test("upper case and international domains are normalized", () => {
  expect(normalizeEmail("  Dana@BÜCHER.Example ")).toBe("dana@xn--bcher-kva.example");
});

test.each([
  ["priya@larkspur.example", "priya@larkspur.example"],
  [" Priya+News@Larkspur.example", "priya@larkspur.example"],
  ["priya+1+2@larkspur.example", "priya@larkspur.example"],
  ["p.raman@larkspur.example", "p.raman@larkspur.example"],
  ["p.r.aman+x@gmail.com", "praman@gmail.com"],
  ["p.raman@googlemail.com", "praman@gmail.com"],
  ["+priya@larkspur.example", "+priya@larkspur.example"],
  ["no address", "no address"],
])("mail to %j reaches the mailbox %j", (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
});

/** Reads the recipient and the fields of a link, as a mail program does. */
function opened(href: string) {
  const { pathname, searchParams } = new URL(href);
  return { to: decodeURIComponent(pathname), fields: [...searchParams.keys()], scheme: new URL(href).protocol };
}

test.each([
  "dana@clinic.example",
  "dana+it@clinic.example",
  "a?bcc=evil@attacker.example&subject=paid@b.example",
  "a&cc=evil@b.example",
  "a#fragment@b.example",
  "a%0d%0abcc:evil@b.example",
  "a\r\nbcc: evil@b.example",
  "javascript:alert(1)@b.example",
])("a link to %j names that recipient and sets no field", (email) => {
  expect(opened(mailtoHref(email))).toEqual({ to: email, fields: [], scheme: "mailto:" });
});

test("the at sign of an ordinary address is readable in its link", () => {
  expect(mailtoHref("dana@clinic.example")).toBe("mailto:dana@clinic.example");
});

test.each([
  ["+1 (555) 010-2030", "tel:+15550102030"],
  ["020 7946 0000", "tel:02079460000"],
  ["555;phone-context=evil.example", "tel:555"],
  ["555+1,,9#?x=1", "tel:555191"],
])("%j is dialled by its digits only", (phone, href) => expect(telHref(phone)).toBe(href));

const areas = ["admin", "account"] as const;

const foreign = [
  "/\t/evil.example",
  "/\n/evil.example",
  "//evil.example",
  "/\\evil.example",
  "/.//evil.example",
  "/admin/..//evil.example",
  "/admin/%2f%2fevil.example",
  "/admin%5cevil",
  "https://evil.example/admin",
  "javascript:alert(1)",
  "/admin\u0000",
  `/admin/${"a".repeat(5_000)}`,
  "",
  null,
  42,
];

test.each([
  ...foreign,
  "/administrator",
  "/client",
  "/client/auth",
])("the return path %j is replaced by the fallback", (value) => {
  expect(safePath(value, areas, "/fallback")).toBe("/fallback");
});

test.each([
  "/admin",
  "/admin/submissions?status=new&page=2",
  "/profile/sessions",
])("%s is an allowed return path", (value) => {
  expect(safePath(value, areas, "/fallback")).toBe(value);
});

test("a path that leaves its area by .. is not in its area", () => {
  expect(safePath("/admin/../client", areas, "/fallback")).toBe("/fallback");
});

test.each(foreign)("%j is not a page of this site", (value) => {
  expect(ownPagePath(value, null)).toBe("/");
  expect(ownPagePath(value, "http://localhost:8787/pricing?plan=core")).toBe("/");
});

test.each([
  ["/pricing?plan=core&users=12#footer-theme", "/pricing?plan=core&users=12#footer-theme"],
  ["/a/../pricing", "/pricing"],
  ["/pricing#//evil.example", "/pricing#//evil.example"],
])("%s is the page %s", (value, page) => {
  expect(ownPagePath(value, null)).toBe(page);
});

test.each([
  ["http://localhost:8787/pricing?plan=basic", "/pricing?plan=basic#a"],
  ["http://localhost:8787/contact?plan=basic", "/pricing?plan=core#a"],
  ["not an address", "/pricing?plan=core#a"],
])("seen at %s, the page is %s", (referrer, page) => {
  expect(ownPagePath("/pricing?plan=core#a", referrer)).toBe(page);
});

test.each([
  ["/admin/submissions?q=é&x=1#note", "/admin/submissions?q=%C3%A9&x=1#note"],
  ["/admin/sub_1\r\nSet-Cookie: a=b", "/admin/sub_1%0D%0ASet-Cookie:%20a=b"],
  ["/a\tb\0c\x7fd", "/a%09b%00c%7Fd"],
])("the header of a redirect to %j has no byte that does not belong there", (path, header) => {
  expect(locationOf(path)).toBe(header);
});

test.each([
  "//evil.example",
  "/\\evil.example",
  "/.//evil.example",
  "https://evil.example/",
  "javascript:alert(1)",
  "admin",
  "",
])("there is no redirect to %j", (path) => {
  expect(() => locationOf(path)).toThrow();
});

test.each([
  ["/client", true, true],
  ["/profile/mfa", true, true],
  ["/admin/submissions?q=a", false, true],
  // Of the pages that need no account, this one alone has a next step after signing in.
  ["/invite", true, true],
  ["/auth", false, false],
  ["/pricing", false, false],
])("after signing in, %s can be opened by clients: %s, by staff: %s", (path, byClients, byStaff) => {
  expect(safeReturnPath(path, { isStaff: false })).toBe(byClients ? path : null);
  expect(safeReturnPath(path, { isStaff: true })).toBe(byStaff ? path : null);
});
