import { Form } from "@remix-run/react";
import { Button } from "~/ui/button";
import { ErrorSummary } from "~/ui/error-summary";
import { Field } from "~/ui/field";
import { Input } from "~/ui/input";
import { Select } from "~/ui/select";
import { TYPE_LABELS } from "../copy";
import { REPORT_TYPES, REPORTS_PATH, type RejectedRequest, type ReportRequest } from "../model";

/** Asks for a type and two days, as a GET form: a report has an address. */
export function ReportForm({ asked }: { asked: ReportRequest | RejectedRequest }) {
  const errors = "errors" in asked ? asked.errors : {};
  return (
    <div className="grid gap-4 print:hidden">
      {"errors" in asked ? <ErrorSummary title="There is no report yet" errors={errors} /> : null}
      <Form method="get" action={REPORTS_PATH} className="flex flex-wrap items-end gap-3" aria-label="Report settings">
        <Field name="type" label="Report type" className="basis-44">
          <Select
            defaultValue={asked.type}
            options={REPORT_TYPES.map((value) => ({ value, label: TYPE_LABELS[value] }))}
          />
        </Field>
        <Field name="from" label="From" error={errors.from} className="basis-44">
          <Input type="date" defaultValue={asked.from} />
        </Field>
        <Field name="to" label="To" error={errors.to} className="basis-44">
          <Input type="date" defaultValue={asked.to} />
        </Field>
        <Button type="submit">Generate Report</Button>
      </Form>
    </div>
  );
}
