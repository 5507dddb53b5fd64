import { ROLE_LABELS, STATUS_TAGS } from "~/features/user-management/copy";
import { userPath } from "~/features/users/subject";
import { MFA_PATH, withParams } from "~/lib/addresses";
import { ListTable, type ListTableProps, type ShownRows } from "~/lists/ui/list-table";
import { cx } from "~/ui/cx";
import type { RowColumn } from "~/ui/row-table";
import { formatInstant } from "~/ui/time";
import { FACTOR_LABELS } from "../../copy";
import { type FactorRow, MFA_PEOPLE_PATH } from "../../model";
import { type FactorFilter, factorList } from "../definition";

/** Says where the cells of a row stand if it is no line of a table. */
const PLACES = cx(
  "*:*:nth-1:[grid-area:name] *:*:nth-2:[grid-area:role] *:*:nth-3:[grid-area:mfa] *:*:nth-4:[grid-area:used]",
  "*:*:nth-5:[grid-area:codes] *:*:nth-6:[grid-area:open]",
  "max-table:*:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)_minmax(0,1fr)_auto] max-table:*:items-center max-table:*:gap-x-4",
  "max-table:*:py-[0.55rem] max-table:*:[grid-template-areas:'name_role_used_open'_'name_mfa_codes_open']",
  "max-lines:*:grid-cols-[minmax(0,1fr)_auto] max-lines:*:gap-y-1",
  "max-lines:*:[grid-template-areas:'name_name'_'role_mfa'_'used_codes'_'open_open']",
  "max-md:[&_th>small]:block! max-lines:*:*:empty:hidden [&_th>small]:font-sans!",
  "max-table:*:*:nth-3:before:content-['MFA_'] max-table:*:*:nth-4:not-empty:before:content-['Last_used_']",
  "max-table:*:*:nth-5:not-empty:after:content-['_codes_left']",
  "print:*:*:nth-6:hidden",
);

type FactorTableProps = ListTableProps<FactorRow, FactorFilter> & {
  /** Id of the person who looks: nobody resets their own factor here. */
  ownId: string;
};

/** Shows people with their second factors; that of somebody else can be reset, on the page of the person. */
export function FactorTable(props: FactorTableProps) {
  return (
    <ListTable {...props} definition={factorList} look={PLACES} columns={(shown) => columns(shown, props.ownId)} />
  );
}

function columns({ zone }: ShownRows<FactorRow>, ownId: string): RowColumn<FactorRow>[] {
  return [
    {
      label: "User",
      header: true,
      cell: ({ id, name, email, status }) => (
        <>
          <a href={userPath(id)}>{name}</a>
          <small>{[email, id === ownId ? "you" : STATUS_TAGS[status]].filter(Boolean).join(" · ")}</small>
        </>
      ),
    },
    { label: "Role", width: "w-[9rem]", cell: ({ role }) => ROLE_LABELS[role] },
    {
      label: "MFA",
      width: "w-[6rem]",
      cell: ({ factor }) => {
        if (factor === "none") return "—";
        return factor === "on" ? <b className="text-success">{FACTOR_LABELS.on}</b> : FACTOR_LABELS.off;
      },
    },
    {
      label: "Last used",
      width: "w-[12rem]",
      cell: ({ factor, lastUsedAt: at }) => {
        if (factor !== "on") return null;
        return at === null ? (
          "Never"
        ) : (
          <time dateTime={new Date(at).toISOString()}>{formatInstant(at, zone, "datetime")}</time>
        );
      },
    },
    { label: "Codes left", width: "w-[7rem]", cell: ({ factor, codesLeft }) => (factor === "on" ? codesLeft : null) },
    {
      label: "Actions",
      width: "w-[8rem] print:hidden",
      cell: ({ id, name, factor }) => {
        if (id === ownId) return <a href={MFA_PATH}>Your MFA</a>;
        return factor === "on" ? (
          <a
            href={withParams(userPath(id), { do: "reset_mfa", from: MFA_PEOPLE_PATH })}
            aria-label={`Reset MFA of ${name}…`}
          >
            Reset MFA…
          </a>
        ) : null;
      },
    },
  ];
}
