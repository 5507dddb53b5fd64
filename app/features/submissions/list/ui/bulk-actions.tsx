import { Button } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { Field } from "~/ui/field";
import { Select } from "~/ui/select";
import { STATUS_OPTIONS } from "../../ui/submission-status";

type BulkActionsProps = { may: { changeStatus: boolean; release: boolean; delete: boolean; export: boolean } };

/** Offers the actions on selected submissions. */
export function BulkActions({ may }: BulkActionsProps) {
  return (
    <>
      {may.changeStatus ? (
        <ButtonRow dense>
          <Field name="status" id="bulk-status" label="Set status">
            <Select options={STATUS_OPTIONS} defaultValue="contacted" />
          </Field>
          <Button type="submit" name="intent" value="bulk-status">
            Update
          </Button>
        </ButtonRow>
      ) : null}
      <ButtonRow dense className="ml-auto">
        {may.release ? (
          <Button type="submit" name="intent" value="bulk-release">
            Not spam
          </Button>
        ) : null}
        {may.export ? (
          <Button type="submit" variant="quiet" name="intent" value="export">
            Export selected
          </Button>
        ) : null}
        {may.delete ? (
          <Button type="submit" variant="danger" name="intent" value="choose">
            Delete…
          </Button>
        ) : null}
      </ButtonRow>
    </>
  );
}
