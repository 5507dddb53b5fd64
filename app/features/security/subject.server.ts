import { networkPrefix } from "~/platform/network.server";
import type { NamedPerson } from "./model";

/** Returns the parts of an alert's subject: the type of a limit and its identifier, or only the id of a person. */
export function partsOf(subject: string): { source: string; identifier: string } {
  const space = subject.indexOf(" ");
  return { source: space < 0 ? "" : subject.slice(0, space), identifier: subject.slice(space + 1) };
}

/**
 * Returns how somebody or something is named: a person by name, a network by its beginning, an address without an
 * account by a part of its hash, because people type passwords into the field for it.
 */
export function aboutText(person: NamedPerson, { source, identifier }: { source: string; identifier: string }): string {
  if (person) return person.name;
  if (source === "login_ip") return `Network ${networkPrefix(identifier.replace("/64", ""))}`;
  if (identifier.startsWith("anon:")) return `Address without an account (${identifier.slice(5, 13)})`;
  return "Account that is gone";
}
