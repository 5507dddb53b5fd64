/**
 * Describes where the name of a person stands in what they have done, or only their account. `person`: the column with
 * the account; without one the name itself is compared. `cleared`: columns that become NULL, so that what is done is
 * not found again.
 */
export type NamePlace = {
  table: string;
  name?: string;
  person?: string;
  cleared?: readonly string[];
  /** Tells whether an index finds the rows. Otherwise the table is gone through by its row ids. */
  isIndexed?: true;
  /** Tells whether it is the audit, which keeps what it says: only nobody finds it by the name any more. */
  isAudit?: true;
};

/**
 * Lists where the names of people stand outside their account, in the order in which they are replaced. The test of the
 * erasure looks into every table of the database, so that a new place is not forgotten.
 */
export const NAME_PLACES: readonly NamePlace[] = [
  {
    table: "support_tickets",
    name: "creator_name",
    person: "created_by",
    cleared: ["created_by"],
    isIndexed: true,
  },
  { table: "ticket_messages", name: "author_name", person: "user_id", cleared: ["user_id"], isIndexed: true },
  { table: "support_tickets", person: "opened_by", cleared: ["opened_by"], isIndexed: true },
  { table: "support_tickets", person: "assigned_to", cleared: ["assigned_to"], isIndexed: true },
  { table: "contact_submissions", person: "owner_id", cleared: ["owner_id"], isIndexed: true },
  { table: "ticket_events", name: "actor_name", person: "actor_id" },
  { table: "ticket_events", name: "from_value" },
  { table: "ticket_events", name: "to_value" },
  { table: "admin_notes", name: "author_name", person: "admin_user_id" },
  { table: "submission_events", name: "actor_name", person: "actor_id" },
  { table: "submission_assignments", name: "actor_name", person: "actor_id" },
  { table: "submission_assignments", name: "owner_name" },
  { table: "submission_replies", name: "actor_name", person: "actor_id" },
  { table: "allowance_entries", name: "actor_name", person: "actor_id" },
  { table: "allowance_entries", name: "reversed_by_name" },
  { table: "invitations", name: "inviter_name", person: "invited_by" },
  { table: "mail_events", name: "actor_name" },
  { table: "security_alerts", name: "acknowledged_name", person: "acknowledged_by" },
  { table: "letters", name: "released_by_name" },
  { table: "legal_holds", name: "placed_by_name" },
  { table: "legal_holds", name: "lifted_by_name" },
  { table: "audit_events", isAudit: true },
];
