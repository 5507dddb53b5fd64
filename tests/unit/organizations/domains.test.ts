import { expect, test } from "vitest";
import { readDomains } from "~/features/organization-management/forms.server";

test("domains are read one a line, each once, in lower case and in ASCII", () => {
  const { domains } = readDomains(" Clinic.example \r\n@clinic.example\nmüller.example., sub.clinic.example;");
  expect(domains).toEqual(["clinic.example", "xn--mller-kva.example", "sub.clinic.example"]);
});

test.each([
  "clinic",
  "clinic..example",
  "-clinic.example",
  "https://clinic.example",
  "clinic.example/path",
  "someone@clinic.example",
  "192.168.0.1",
  "[::1]",
  "clinic.example:8080",
  "clinic_1.example",
  "0x7f.1",
  `${"a".repeat(64)}.example`,
])("%s is no domain", (text) => {
  expect(readDomains(text)).toEqual({ domains: [], invalid: [text], freeMail: [] });
});

test("a domain where anybody may have a mailbox belongs to nobody", () => {
  expect(readDomains("gmail.com GMX.de outlook.com")).toEqual({
    domains: [],
    invalid: [],
    freeMail: ["gmail.com", "gmx.de", "outlook.com"],
  });
});
