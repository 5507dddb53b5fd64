import { Form } from "@remix-run/react";
import { Button } from "~/ui/button";
import { cx } from "~/ui/cx";
import { ErrorSummary, Field, Input, Select } from "~/ui/form";
import { Link } from "~/ui/link";
import { Panel, Sheet } from "~/ui/page";
import { StatCards } from "~/ui/stat-cards";
import { NOTHING_IN_PERIOD, TYPE_LABELS } from "./labels";
import {
  REPORT_TYPES,
  REPORTS_PATH,
  type RejectedRequest,
  type Report,
  type ReportBar,
  type ReportRequest,
  type ReportTable,
} from "./model";

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

export function ReportView({ report }: { report: Report }) {
  const { title, period, madeAt, cards, byStatus, domains, sampled, deleted, tables } = report;
  return (
    <>
      <StatCards label="Figures" items={cards} />
      {sampled ? <p className="text-ink-2 text-sm">Response time and domains: {sampled}</p> : null}
      {deleted ? <p className="text-ink-2 text-sm">{deleted}</p> : null}
      <div className="flex flex-wrap items-start gap-5 *:min-w-0 *:flex-[1_1_20rem] print:hidden">
        <Panel id="by-status" title="Submissions by Status">
          <Bars bars={byStatus} />
        </Panel>
        <Panel id="top-domains" title="Top Email Domains">
          <Bars bars={domains} />
        </Panel>
      </div>
      <Sheet
        id="preview"
        title="Report Preview"
        isMain
        aside={<span className="text-ink-2 text-sm">Made {madeAt}</span>}
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6 border-line border-t px-4 py-4">
          <p className="font-semibold">
            {title}, {period}
          </p>
          {tables.map((table) => (
            <TableOfReport key={table.id} table={table} />
          ))}
        </div>
      </Sheet>
    </>
  );
}

function Bars({ bars }: { bars: readonly ReportBar[] }) {
  if (bars.length === 0) return <p className="text-ink-2">{NOTHING_IN_PERIOD}</p>;
  return (
    <ul className="grid gap-2">
      {bars.map(({ label, count, length, to }) => (
        <li key={label} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3">
          <Link to={to} className="wrap-anywhere">
            {label}
          </Link>
          <span className="font-semibold tabular-nums">{count.toLocaleString("en-US")}</span>
          <svg
            className="col-span-full h-2 w-full bg-sunken"
            viewBox="0 0 100 8"
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            <rect className="fill-brand" width={length} height="8" />
          </svg>
        </li>
      ))}
    </ul>
  );
}

/** A keyboard must reach what is wider than the screen. */
const scrollable = { tabIndex: 0 };

const numberStyle = (number: string) => cx("text-right align-top", !number.includes(".") && "tabular-nums");

function TableOfReport({ table: { id, title, columns, rows, rowsTo, none, note } }: { table: ReportTable }) {
  return (
    <section className="relative overflow-x-auto" aria-label={`${title}, in the report`} {...scrollable}>
      <h3 className="mb-1 text-md" id={`${id}-title`}>
        {title}
      </h3>
      <p className="mb-2 text-ink-2 text-sm">{note}</p>
      {rows.length === 0 ? (
        <p>{none}</p>
      ) : (
        <table
          className="w-full [&_:is(td,th):not(:first-child)]:pl-3 [&_td]:py-1.5 [&_th:first-child]:min-w-28 [&_th]:py-1.5"
          aria-labelledby={`${id}-title`}
        >
          <thead className="border-line-strong border-b-2 text-ink-2 text-xs">
            <tr>
              {columns.map(({ label, isNumber }) => (
                <th key={label} scope="col" className={isNumber ? "text-right align-top" : "text-left align-top"}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="*:border-line *:border-b">
            {rows.map(([name = "", ...cells], row) => (
              <tr key={name}>
                <th scope="row" className="text-left align-top font-normal">
                  {name}
                </th>
                {cells.map((cell, index) => (
                  <td
                    key={columns[index + 1]?.label}
                    className={columns[index + 1]?.isNumber ? numberStyle(cell) : "min-w-48 align-top print:min-w-0"}
                  >
                    {index === 0 ? <Linked to={rowsTo?.[row]}>{cell}</Linked> : cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

const Linked = ({ to, children }: { to: string | null | undefined; children: string }) =>
  to ? <Link to={to}>{children}</Link> : children;
