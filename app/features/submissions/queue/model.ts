/** Describes a submission whose day of the follow-up has come. */
export type FollowUp = {
  /** Holds the reference number, shown as `L-1001`. */
  number: string;
  /** Holds the address of the record. */
  to: string;
  name: string;
  organization: string | null;
  owner: string | null;
  /** Names the day it was planned for, "Nov 18"; null: today. */
  since: string | null;
};
