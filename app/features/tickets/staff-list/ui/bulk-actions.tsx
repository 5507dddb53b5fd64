import { Button } from "~/ui/button";
import { Select } from "~/ui/select";
import { STATUS_OPTIONS, UNASSIGNED } from "../../copy";
import { NOBODY, type StaffChoice } from "../model";

/** Lists the statuses but resolved: each ticket is resolved with a note of its own. None is chosen at first. */
const STATUSES = [
  { value: "", label: "Set status to…" },
  ...STATUS_OPTIONS.filter(({ value }) => value !== "resolved"),
];

/** Offers the actions on selected tickets. */
export function BulkActions({ staff, mayExport }: { staff: readonly StaffChoice[]; mayExport: boolean }) {
  const people = [
    { value: "", label: "Assign to…" },
    { value: NOBODY, label: UNASSIGNED },
    ...staff.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <>
      <Select look="bar" name="assignee_id" aria-label="Assign to" options={people} defaultValue="" />
      <Button type="submit" variant="quiet" size="sm" name="intent" value="bulk-assign">
        Assign
      </Button>
      <Select look="bar" name="status" aria-label="Set status" options={STATUSES} defaultValue="" />
      <Button type="submit" variant="quiet" size="sm" name="intent" value="bulk-status">
        Update
      </Button>
      {mayExport ? (
        <Button type="submit" variant="quiet" size="sm" name="intent" value="export">
          Export selected
        </Button>
      ) : null}
    </>
  );
}
