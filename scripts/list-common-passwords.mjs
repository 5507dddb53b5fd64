/*
 * Writes app/features/auth/leaked-passwords.ts from a published list. After a newer version of the package
 * has been named here: `node scripts/list-common-passwords.mjs`, and commit what it writes. The package is fetched for
 * this and is no part of the product: of its megabytes we need 10,000 words.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { capture } from "./lib/child-process.mjs";
import { onProjectNode } from "./lib/on-project-node.mjs";
import { inRoot } from "./lib/toolchain.mjs";

const PACKAGE = "@zxcvbn-ts/language-common@4.1.3";
const COUNT = 10_000;
const SHORTEST = 8;

const shutDown = await onProjectNode(import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "wrenfield-passwords-"));
try {
  const install = ["install", "--prefix", folder, "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", PACKAGE];
  const { code, output } = await capture("npm", install, { cwd: folder });
  if (code !== 0) throw new Error(output);
  const words = JSON.parse(readFileSync(join(folder, "node_modules/@zxcvbn-ts/language-common/src/passwords.json")));
  const long = words.map((word) => word.normalize("NFKC").toLowerCase()).filter((word) => [...word].length >= SHORTEST);
  const chosen = [...new Set(long)].slice(0, COUNT).sort();
  if (chosen.length < COUNT) throw new Error(`Only ${chosen.length} passwords are long enough`);
  writeFileSync(inRoot("app/features/auth/leaked-passwords.ts"), moduleOf(encodeFrontCoded(chosen)));
  console.log(`Wrote ${chosen.length} passwords`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
await shutDown(0);

/**
 * Encodes a sorted list by front coding: each word as a capital letter, for the length of the prefix it shares, and the
 * letters after that prefix.
 */
function encodeFrontCoded(words) {
  let before = "";
  return words
    .map((word) => {
      let shared = 0;
      while (shared < 25 && shared < word.length && word[shared] === before[shared]) shared += 1;
      before = word;
      return String.fromCharCode(65 + shared) + word.slice(shared);
    })
    .join("");
}

function moduleOf(encoded) {
  const count = COUNT.toLocaleString("en-US");
  return `/*
 * The ${count} most used passwords of at least ${SHORTEST} characters in ${PACKAGE} (MIT licence; copyright
 * 2012-2016 Dan Wheeler and Dropbox, Inc., 2021 @zxcvbn-ts), lower-cased, sorted and front-coded. Written by
 * scripts/list-common-passwords.mjs, not by hand.
 */
export const LEAKED_PASSWORDS =
  ${JSON.stringify(encoded)};
`;
}
