import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const APP = path.resolve(import.meta.dirname, "../../app");

/**
 * Matches what only staff read, in which a submission is called so. Left out are the files that a person gets, to whom
 * a submission is their request.
 */
const STAFF =
  /^features\/(audit|privacy\/(?!person-files)|settings-management|settings\/(access|site|ticket)-settings|submissions\/(list|mails|queue|record)|workspace)/;

/** Lists words for things that have another name on every screen and in every mail, with that name. */
const OTHER_NAMES: [word: RegExp, name: string, where?: RegExp][] = [
  [/\b(somebody|anybody|nobody's)\b/i, "the person, people, no owner"],
  [/\b(ticked|picked|marked rows|checked rows)\b/i, "selected"],
  [/\b(admin|staff|private) notes?\b/i, "internal note"],
  [/\bwrite back\b|\breply by mail\b/i, "reply"],
  [/\b(enquiry|enquiries|contact request)\b/i, "submission, to the visitor request"],
  [/\b(due date|SLA|deadline)\b/, "promise"],
  [/\blive (notifications|events|feed)\b/i, "live updates"],
  [/\b(nobody|whoever)\s/i, "the person, people, no owner"],
  [/\bworking days?\b/i, "business day"],
  [/\b(MFA|2FA|[Tt]wo-factor|[Tt]wo-step login|[Ss]econd factor)\b/, "two-step sign-in"],
  [/^(try again|send again|reload)$/i, "Retry"],
  [/^Invited$/, "Pending"],
  [/\brequests?\b/i, "submission", STAFF],
  [/\b1 (submissions|tickets|people|messages|notes|files)\b/, "the singular"],
];

/** Lists texts that keep such a word, with the reason. */
const KEPT: Record<string, string> = {
  "open ones follow with their next request": "a request of a browser",
  "Contact requests with their files and our notes": "the privacy notice names them to visitors",
  "Nobody else receives your data": "prose of the privacy notice",
  "so that nobody adds it again": "prose of the privacy notice",
  "whoever visits this site": "prose of the terms",
  "with whoever comes next": "prose of the site",
  "Nobody is waiting": "worded by the design",
  "nobody can work": "worded by the design",
  "sent a request": "worded by the list of strings",
  "New request from the website.": "worded by the list of strings",
  "MFA settings not found": "worded by the specification",
  "MFA Setup": "worded by the specification",
  "to Disable MFA": "worded by the specification",
  "to disable MFA?": "worded by the specification",
  "MFA Management": "worded by the specification",
  "MFA Success Rate": "worded by the specification",
  "Recent MFA Events": "worded by the specification",
  "MFA Disabled": "worded by the specification",
  "Reset MFA": "worded by the contract",
  "somebody@": "no text: an address of which only the domain is checked",
};

/** Lists the texts of a file that people may read: with a space, in markup, strings and templates. */
function textsOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const texts: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isLiteralTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isJsxText(node) || ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
      texts.push(node.text);
    else if (ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)) texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts.map((text) => text.replace(/\s+/g, " ").trim());
}

const isSql = (text: string) => /\b(SELECT|FROM|WHERE|INSERT|UPDATE)\b/.test(text);

const files = readdirSync(APP, { recursive: true, encoding: "utf8" }).filter(
  // What the site says about its trade is prose, and has deadlines of others.
  (file) => /\.tsx?$/.test(file) && !/^(generated|db|content\/(industries|services))/.test(file),
);

test("one thing has one name on every screen and in every mail", () => {
  const found = files.flatMap((file) =>
    textsOf(path.join(APP, file)).flatMap((text) =>
      OTHER_NAMES.filter(([word, , where]) => word.test(text) && !isSql(text) && (where?.test(file) ?? true))
        .filter(() => !Object.keys(KEPT).some((kept) => text.includes(kept)))
        .map(([, name]) => `${file}: "${text}" (${name})`),
    ),
  );
  expect(found).toEqual([]);
});
