import { type FormEvent, useState } from "react";
import { firstNameOf, nameList, plural } from "~/lib/text";
import { FieldError, Tick } from "~/ui/form";
import { VisuallyHidden } from "~/ui/text";
import type { ReplyRecipient } from "../notify-ticket.server";

const NAMED = 3;

/** Returns the first names of people; whoever shares one has the whole name. */
function shortNames(people: readonly ReplyRecipient[]): string[] {
  const first = people.map(({ name }) => firstNameOf(name));
  return people.map(({ name }, index) => {
    const short = first[index] ?? name;
    return first.filter((each) => each === short).length > 1 ? name : short;
  });
}

function Line({ people, outside, organization }: { people: string[]; outside: number; organization: string }) {
  const more = people.length - NAMED;
  const shown = more > 1 ? [...people.slice(0, NAMED), `${more} more`] : people;
  const addresses = outside > 0 ? <b className="text-warning">{plural(outside, "outside address")}</b> : null;
  if (shown.length === 0) return addresses ? <>Goes to {addresses}</> : <>Goes to no one</>;
  return (
    <>
      Goes to{" "}
      {nameList.formatToParts(shown).map(({ type, value }, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
        type === "element" ? <b key={index}>{value}</b> : value,
      )}{" "}
      at {organization}
      {addresses ? <>, and {addresses}</> : null}
    </>
  );
}

const OUTSIDE = { member: "", contact: " (by mail)", copy: " (outside address)" } as const;

type RecipientsProps = {
  recipients: readonly ReplyRecipient[];
  organization: string;
  /** Holds the ids of those who were left out when the page was rendered. */
  leftOut: readonly string[];
  error?: string;
};

/** Says who gets a reply, and leaves out whoever is not chosen. `listed` tells them from those who came since. */
export function Recipients({ recipients, organization, leftOut, error }: RecipientsProps) {
  const [without, setWithout] = useState(leftOut);
  if (recipients.length === 0)
    return (
      <p className="max-w-none text-ink-2 text-sm">
        No person at {organization} gets a reply. Add one to the ticket first.
      </p>
    );
  const reached = recipients.filter(({ id }) => !without.includes(id));
  const people = reached.filter(({ kind }) => kind !== "copy");
  const choose = ({ currentTarget }: FormEvent<HTMLFieldSetElement>) => {
    const boxes = currentTarget.querySelectorAll<HTMLInputElement>("input[name=to]:not(:checked)");
    setWithout(Array.from(boxes, ({ value }) => value));
  };
  return (
    <div className="flex flex-wrap items-baseline gap-x-4 text-sm">
      <p className="wrap-anywhere max-w-none">
        <Line people={shortNames(people)} outside={reached.length - people.length} organization={organization} />
      </p>
      <details
        className="open:basis-full"
        open={leftOut.length > 0 || error !== undefined}
        hidden={recipients.length === 1}
      >
        <summary className="cursor-pointer py-1 text-brand underline max-md:py-3">
          Change<VisuallyHidden> who gets this reply</VisuallyHidden>
        </summary>
        <input type="hidden" name="listed" value={recipients.map(({ id }) => id).join(" ")} />
        <fieldset id="to" className="mt-1 grid gap-1" tabIndex={-1} onChange={choose}>
          <legend className="sr-only">Who gets this reply</legend>
          {error ? <FieldError id="to">{error}</FieldError> : null}
          {recipients.map(({ id, name, kind }) => (
            <Tick
              key={id}
              className="wrap-anywhere max-md:py-2"
              type="checkbox"
              name="to"
              value={id}
              defaultChecked={!leftOut.includes(id)}
            >
              <span>
                {name}
                <span className="text-ink-2">{OUTSIDE[kind]}</span>
              </span>
            </Tick>
          ))}
          <p className="text-ink-2">Who reads the ticket in the portal still sees the reply there.</p>
        </fieldset>
      </details>
    </div>
  );
}
