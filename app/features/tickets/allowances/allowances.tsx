import type { ValidationError } from "~/lib/form";
import { ErrorSummary, Field, Form, formKey, SubmitButton, Textarea, useFormResult } from "~/ui/form";
import { Box } from "~/ui/page";
import { Time } from "~/ui/text";
import { allowancesPath } from "../paths";
import type { readTicketAllowances } from "./ledger.server";

type TicketAllowances = NonNullable<Awaited<ReturnType<typeof readTicketAllowances>>>;
type AllowancesProps = TicketAllowances & { tokens: Record<"visit" | "reverse_allowance", string | null> };

export function Allowances({ reference, entries, zone, tokens }: AllowancesProps) {
  const path = allowancesPath(reference);
  return (
    <Box className="grid max-w-160 gap-2">
      {entries.length === 0 ? (
        <p className="text-ink-2 text-sm">This ticket has used no visits and no incidents.</p>
      ) : null}
      {entries.map((entry) => (
        <UsedHere key={entry.id} entry={entry} zone={zone} path={path} token={tokens.reverse_allowance} />
      ))}
      {tokens.visit ? (
        <Form action={path} token={tokens.visit} name="visit" className="mt-2 print:hidden">
          <SubmitButton variant="quiet" size="sm" intent="visit" pendingLabel="Recording...">
            Record an onsite visit
          </SubmitButton>
        </Form>
      ) : null}
    </Box>
  );
}

type UsedHereProps = { entry: TicketAllowances["entries"][number]; zone: string; path: string; token: string | null };

function UsedHere({ entry, zone, path, token }: UsedHereProps) {
  const failed = useFormResult<ValidationError>(formKey(path, `reverse ${entry.id}`));
  return (
    <div className="border-line border-t py-2 text-sm first:border-0">
      {entry.kind === "onsite" ? "Onsite visit" : "After-hours incident"} of this ticket,{" "}
      <Time at={entry.at} zone={zone} mode="date" />
      {entry.actorName ? `, ${entry.actorName}` : null}
      {token ? (
        <details className="print:hidden" open={failed ? true : undefined}>
          <summary className="cursor-pointer max-md:py-3">Take it back…</summary>
          <Form action={path} token={token} name={`reverse ${entry.id}`} className="mt-2 grid gap-2">
            {failed ? <ErrorSummary title={failed.title} errors={failed.errors} /> : null}
            <input type="hidden" name="entry" value={entry.id} />
            <Field name="reason" label="Reason" hint="The client reads it." error={failed?.errors.reason}>
              <Textarea rows={2} maxLength={500} defaultValue={failed?.values.reason} />
            </Field>
            <SubmitButton variant="quiet" size="sm" intent="reverse_allowance" pendingLabel="Taking back...">
              Take it back
            </SubmitButton>
          </Form>
        </details>
      ) : null}
    </div>
  );
}
