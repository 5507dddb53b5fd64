import { referenceNumber } from "~/lib/ids";
import { Link } from "~/ui/link";
import { Time } from "~/ui/text";
import { clientTicketPath } from "../paths";
import type { AllowanceUse, AllowanceYear } from "./ledger.server";

export function AllowanceYears({ years, zone }: { years: readonly AllowanceYear[]; zone: string }) {
  if (years.length === 0) return null;
  return (
    <div className="grid gap-2 border-line border-t px-4 py-3 text-sm">
      {years.map(({ label, used, perYear, uses }) => (
        <div key={label}>
          <p className="flex flex-wrap justify-between gap-x-3">
            <span>{label}</span> <b>{`${used} of ${perYear} used`}</b>
          </p>
          <ShareBar max={perYear} value={used} />
          {uses.length > 0 ? (
            <details>
              <summary className="cursor-pointer py-1 text-link underline">Which ones?</summary>
              <ul className="grid gap-1 text-ink-2">
                {uses.map((use) => (
                  <li key={use.id} className="wrap-anywhere">
                    <Use {...use} zone={zone} />
                  </li>
                ))}
              </ul>
            </details>
          ) : null}
        </div>
      ))}
      <p className="text-ink-2">Counted in this contract year.</p>
    </div>
  );
}

function Use({ at, ticket, person, reversal, zone }: AllowanceUse & { zone: string }) {
  const number = ticket === null ? null : referenceNumber("ticket", ticket);
  return (
    <>
      <Time at={at} zone={zone} mode="date" />
      {", "}
      {number ? <Link to={clientTicketPath(number)}>{number}</Link> : "another ticket"}
      {person ? `, ${person}` : null}
      {reversal === null ? null : `. Given back${reversal && `: ${reversal}`}`}
    </>
  );
}

/** Browsers paint a meter green, as if more were better. */
export const ShareBar = ({ value, max }: { value: number; max: number }) => (
  <meter
    className="block h-2 w-full [&::-moz-meter-bar]:bg-brand [&::-moz-meter-bar]:bg-none [&::-webkit-meter-optimum-value]:bg-brand"
    aria-hidden="true"
    max={max}
    value={value}
  />
);
