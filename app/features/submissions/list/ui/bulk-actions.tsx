import { Button } from "~/ui/button";
import { Select } from "~/ui/select";
import { STATUS_OPTIONS } from "../../copy";

/** Offers the statuses, of which none is chosen at first: one press must not change rows. */
const CHOICES = [{ value: "", label: "Set status to…" }, ...STATUS_OPTIONS];

type BulkActionsProps = { may: { changeStatus: boolean; release: boolean; delete: boolean; export: boolean } };

/** Offers the actions on selected submissions. */
export function BulkActions({ may }: BulkActionsProps) {
  return (
    <>
      {may.changeStatus ? (
        <>
          <Select look="bar" name="status" aria-label="Set status" options={CHOICES} defaultValue="" />
          <Button type="submit" variant="quiet" size="sm" name="intent" value="bulk-status">
            Update
          </Button>
        </>
      ) : null}
      {may.release ? (
        <Button type="submit" variant="quiet" size="sm" name="intent" value="bulk-release">
          Not spam
        </Button>
      ) : null}
      {may.export ? (
        <Button type="submit" variant="quiet" size="sm" name="intent" value="export">
          Export selected
        </Button>
      ) : null}
      {may.delete ? (
        <Button type="submit" variant="quiet" size="sm" name="intent" value="choose">
          Delete…
        </Button>
      ) : null}
    </>
  );
}
