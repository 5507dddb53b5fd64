import { userPath } from "~/features/users/subject";
import { LinkButton } from "~/ui/button";
import { type Fact, FactList } from "~/ui/fact-list";
import { Link } from "~/ui/link";
import { Panel } from "~/ui/panel";
import { type Person, type PersonCounts, personFilePath } from "../model";
import { countText } from "./count-text";

type PersonPanelProps = { person: Person; counts: PersonCounts; countedMax: number };

/** Shows what is stored about a person, and offers it as a file. */
export function PersonPanel({ person, counts, countedMax }: PersonPanelProps) {
  const text = (count: number, one: string) => countText(count, { max: countedMax, one });
  const facts: Fact[] = [
    { term: "Email", detail: person.email },
    { term: "Account", detail: person.userId ? <Link to={userPath(person.userId)}>Open the account</Link> : "None" },
    { term: "Sent", detail: `${text(counts.submissions, "submission")} with ${text(counts.files, "file")}` },
    ...(counts.copies > 0 ? [{ term: "Copies by mail", detail: `Of ${text(counts.copies, "ticket")}` }] : []),
    ...(person.userId
      ? [
          { term: "Belongs to", detail: text(counts.memberships, "organization") },
          { term: "Has written", detail: `${text(counts.tickets, "ticket")} and ${text(counts.messages, "message")}` },
        ]
      : []),
  ];
  return (
    <Panel id="person" title="What is stored">
      <FactList facts={facts} terms="medium" />
      <p className="mt-3 mb-2 text-ink-2 text-sm">
        One ZIP file: everything as JSON, and the files they have sent. Internal notes are left out.
      </p>
      <LinkButton variant="quiet" to={personFilePath(person.id)}>
        Export everything about this person
      </LinkButton>
    </Panel>
  );
}
