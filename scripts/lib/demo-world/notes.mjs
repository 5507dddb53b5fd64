/** Holds notes that staff write for one another. */
export const NOTES = [
  "Called, left a message with the front desk. Trying again tomorrow morning.",
  "Good talk. They decide together with their accountant, so the estimate should list the one-time work separately.",
  "Sent the checklist for the assessment. Site visit proposed for next week.",
  "Their current contract ends in two months with thirty days' notice.",
  "Asked for references in the same line of work. Brightsmile agreed to be named.",
  "Server is out of warranty since last year, put that first in the proposal.",
  "Prefers e-mail, does not pick up the phone during opening hours.",
  "Budget is small, start with Basic and review after a quarter.",
  "Spoke to the owner's daughter, who really decides. Number is in the message.",
  "Walk-through done: 14 devices, two switches, no backup. Notes are in the assessment.",
  "Waiting for the list of users.",
  "Went with a cousin's firm for now. Friendly, wants to hear from us in the autumn.",
];
