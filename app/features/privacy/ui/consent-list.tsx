import { submissionPath } from "~/features/submissions/subject";
import { Link } from "~/ui/link";
import { DataTable } from "~/ui/table";
import { Time } from "~/ui/time";
import { CONSENTS_PATH, type Consent } from "../model";

type ConsentListProps = { consents: readonly Consent[]; older: number | null; zone: string };

/** Lists who agreed to which version of the terms, when and with which form. */
export function ConsentList({ consents, older, zone }: ConsentListProps) {
  return (
    <>
      <DataTable
        id="consents"
        caption="Consents, the newest first"
        columns={[
          { label: "Person", header: true, cell: ({ name, email }) => `${name}, ${email}` },
          { label: "Agreed to", labelled: true, cell: ({ version }) => `Terms of ${version}` },
          { label: "When", labelled: true, noWrap: true, cell: ({ at }) => <Time at={at} zone={zone} /> },
          {
            label: "Form",
            labelled: true,
            cell: ({ form, id, number }) => (
              <>
                {form}, <Link to={submissionPath(id)}>{number}</Link>
              </>
            ),
          },
        ]}
        rows={consents}
        rowKey={({ id }) => id}
        empty={<p>No consents yet.</p>}
      />
      {older === null ? null : (
        <p>
          <Link to={`${CONSENTS_PATH}?before=${older}`}>Older</Link>
        </p>
      )}
    </>
  );
}
