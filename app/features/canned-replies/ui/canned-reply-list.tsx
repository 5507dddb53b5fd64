import { Link } from "~/ui/link";
import { DataTable } from "~/ui/table";
import type { CannedReply } from "../model";
import { cannedReplyPath } from "../paths";

type ListedReply = CannedReply & { mayEdit: boolean };

/** Lists the canned replies with what they begin with; only those the reader may change are links. */
export function CannedReplyList({ replies }: { replies: readonly ListedReply[] }) {
  return (
    <DataTable
      id="canned-replies"
      caption="Saved replies"
      rows={replies}
      rowKey={({ id }) => id}
      empty={<p>No saved replies yet.</p>}
      columns={[
        {
          label: "Title",
          header: true,
          wide: true,
          cell: ({ id, title, mayEdit }) => (mayEdit ? <Link to={cannedReplyPath(id)}>{title}</Link> : title),
        },
        { label: "Text", wide: true, cell: ({ message }) => <span className="line-clamp-2">{message}</span> },
        { label: "For", labelled: true, cell: ({ isShared }) => (isShared ? "All staff" : "Only you") },
        { label: "Category", labelled: true, cell: ({ category }) => category ?? "—" },
        { label: "Used", labelled: true, noWrap: true, cell: ({ used }) => used.toLocaleString("en-US") },
      ]}
    />
  );
}
