import { Form as GetForm } from "@remix-run/react";
import { IdentityQuestion, methodPath } from "~/features/account/identity-fields";
import type { IdentityRequest } from "~/features/auth/model";
import type { ValidationError } from "~/lib/form";
import { plural } from "~/lib/text";
import { Button, ButtonRow, CancelLink } from "~/ui/button";
import { ErrorSummary, Field, Form, formKey, Input, SubmitButton, TypedConfirmation, useFormResult } from "~/ui/form";
import { Panel, Sheet, SheetRows } from "~/ui/page";
import { Time } from "~/ui/text";
import { countedText, NOTHING_TO_PURGE } from "./labels";
import { numberShown, PURGE_PATH, PURGE_WORD, type Purge, type PurgePreview, purgePreviewPath } from "./model";

export function PurgeQuestion({ days, error }: { days: string; error: string | null }) {
  return (
    <Panel id="what" title="What is old">
      {error ? <ErrorSummary className="mb-3" title="There is no preview" errors={{ days: error }} /> : null}
      <p className="mb-4 max-w-160 text-ink-2">
        Deletes submissions before their time: those that are resolved, and those held for review. Never new or
        contacted ones, nothing of a client, and nothing on legal hold.
      </p>
      <GetForm method="get" action={PURGE_PATH} className="flex flex-wrap items-end gap-3" aria-label="What is old">
        <Field
          name="days"
          label="Days without activity"
          hint="With 0 all of them go."
          error={error ?? undefined}
          className="basis-60"
        >
          <Input inputMode="numeric" autoComplete="off" defaultValue={days} />
        </Field>
        <Button type="submit" variant="quiet">
          Show what would go
        </Button>
      </GetForm>
    </Panel>
  );
}

type PurgePanelProps = { preview: PurgePreview; token: string; identity: IdentityRequest | null };

export function PurgePanel({ preview, token, identity }: PurgePanelProps) {
  const { days, count, onHold, isMore, files, notes } = preview;
  const page = purgePreviewPath(days);
  const path = methodPath(page, identity?.method);
  const failed = useFormResult<ValidationError>(formKey(path, "purge"));
  const errors = failed?.errors ?? {};
  return (
    <Panel id="purge" title="What would go">
      {failed ? <ErrorSummary className="mb-3" title={failed.title} errors={errors} /> : null}
      {count === 0 ? (
        <p>
          {NOTHING_TO_PURGE}
          {onHold > 0 ? ` ${plural(onHold, "submission")} on legal hold would stay.` : ""}
        </p>
      ) : (
        <>
          <ul className="list-disc pl-5">
            <li>
              <strong>{countedText(preview)}</strong>, with history, replies and mails that have not left
            </li>
            <li>{`${isMore ? "At least " : ""}${plural(files, "file")} and ${plural(notes, "note")}`}</li>
          </ul>
          {onHold > 0 ? <p className="mt-2">{`${plural(onHold, "submission")} on legal hold would stay.`}</p> : null}
          <p className="my-2">The record of who changed what stays, without their names. This cannot be undone.</p>
          <Form className="grid max-w-160 gap-4" action={path} token={token} name="purge">
            <input type="hidden" name="intent" value="purge" />
            <input type="hidden" name="days" value={days} />
            <input type="hidden" name="counted" value={numberShown(preview)} />
            <TypedConfirmation what={PURGE_WORD} inCapitals typed={failed?.values.confirm} error={errors.confirm} />
            <IdentityQuestion identity={identity} page={page} errors={errors} />
            <ButtonRow dense>
              <SubmitButton variant="danger" pendingLabel="Purging…">
                {isMore ? "Purge them" : `Purge ${plural(count, "submission")}`}
              </SubmitButton>
              <CancelLink to={PURGE_PATH} />
            </ButtonRow>
          </Form>
        </>
      )}
    </Panel>
  );
}

export function PastPurgesPanel({ purges, zone }: { purges: readonly Purge[]; zone: string }) {
  return (
    <Sheet id="purges" title="Last purges">
      {purges.length === 0 ? <p className="px-4 pb-3">Nothing was purged yet.</p> : null}
      <SheetRows>
        {purges.map(({ id, requestedAt, quietSince, submissions, files, notes, onHold, finishedAt }) => (
          <li key={id}>
            <Time at={requestedAt} zone={zone} />: {plural(submissions, "submission")}, {plural(files, "file")},{" "}
            {plural(notes, "note")} deleted{finishedAt === null ? " so far, and it goes on" : ""}
            <span className="text-ink-2 text-sm">
              {" "}
              (quiet since <Time at={quietSince} zone={zone} />
              {onHold > 0 ? `, ${onHold} on legal hold` : ""})
            </span>
          </li>
        ))}
      </SheetRows>
    </Sheet>
  );
}
