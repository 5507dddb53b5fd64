import { ROLE_LABELS, STATUS_TAGS } from "~/features/user-management/copy";
import { userPath } from "~/features/users/subject";
import { MFA_PATH, withParams } from "~/lib/addresses";
import { ListTable, type ListTableProps, type ShownRows } from "~/lists/ui/list-table";
import type { RowColumn } from "~/ui/row-table";
import { formatInstant } from "~/ui/time";
import { FACTOR_LABELS } from "../../copy";
import { type FactorRow, MFA_PEOPLE_PATH } from "../../model";
import { type FactorFilter, factorList } from "../definition";

type FactorTableProps = ListTableProps<FactorRow, FactorFilter> & {
  /** Holds the id of the person who looks: nobody resets their own factor here. */
  ownId: string;
};

/** Shows people with their second factors; that of somebody else can be reset, on the page of the person. */
export function FactorTable(props: FactorTableProps) {
  return <ListTable {...props} definition={factorList} columns={(shown) => columns(shown, props.ownId)} />;
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
      label: "Two-step sign-in",
      labelled: true,
      width: "w-[8rem]",
      cell: ({ factor }) => {
        if (factor === "none") return "—";
        return factor === "on" ? <b className="text-success">{FACTOR_LABELS.on}</b> : FACTOR_LABELS.off;
      },
    },
    {
      label: "Last used",
      labelled: true,
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
    {
      label: "Codes left",
      width: "w-[7rem]",
      labelled: true,
      cell: ({ factor, codesLeft }) => (factor === "on" ? codesLeft : null),
    },
    {
      label: "Actions",
      width: "w-[8rem]",
      controls: true,
      cell: ({ id, name, factor }) => {
        if (id === ownId) return <a href={MFA_PATH}>Your two-step sign-in</a>;
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
