import type { DateOrder, ImportField, ImportKind, ImportPreset, WordField } from "./model";

type Columns = Record<string, ImportField>;

/** The names of columns, in lower case and without anything but letters and digits. */
const columnKey = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

type Preset = { dates: DateOrder; columns: Record<ImportKind, Columns> };

/**
 * How other products name the columns of their exports, where each is documented. A name that is not listed is looked
 * for in the list of the generic preset.
 *
 * - ITFlow: `agent/post/ticket.php`, `client.php`, `contact.php` in itflow-org/itflow, "export_…_csv"
 * - osTicket: `Export::getExportableFields` and `CustomQueue` in osTicket/osTicket
 * - Zammad: Manage › Reporting and the CSV of users and organizations, admin-docs.zammad.org
 * - FreeScout: the fields of conversations and customers of its API, api-docs.freescout.net
 * - Syncro: "Organization", "End User" and ticket CSV, docs.syncromsp.com
 * - Halo: the templates of its spreadsheet importer, usehalo.com/guides
 */
export const PRESETS: Record<ImportPreset, Preset> = {
  generic: {
    dates: "ymd",
    columns: {
      organizations: {
        name: "name",
        organization: "name",
        organizationname: "name",
        company: "name",
        companyname: "name",
        client: "name",
        clientname: "name",
        customer: "name",
        customername: "name",
        id: "old_id",
        oldid: "old_id",
        organizationid: "old_id",
        plan: "plan",
        contract: "plan",
        contractstart: "contract_start",
        contractstarted: "contract_start",
        contractstartdate: "contract_start",
        since: "contract_start",
        domain: "domains",
        domains: "domains",
        emaildomain: "domains",
        emaildomains: "domains",
        website: "domains",
        description: "description",
        notes: "description",
        note: "description",
      },
      people: {
        organization: "organization",
        organizationname: "organization",
        company: "organization",
        companyname: "organization",
        client: "organization",
        clientname: "organization",
        customer: "organization",
        customername: "organization",
        email: "email",
        emailaddress: "email",
        mail: "email",
        name: "name",
        fullname: "name",
        contactname: "name",
        displayname: "name",
        firstname: "first_name",
        givenname: "first_name",
        lastname: "last_name",
        surname: "last_name",
        phone: "phone",
        phonenumber: "phone",
        telephone: "phone",
        mobile: "phone",
      },
      tickets: {
        number: "old_number",
        oldnumber: "old_number",
        ticket: "old_number",
        ticketid: "old_number",
        ticketnumber: "old_number",
        id: "old_number",
        subject: "subject",
        title: "subject",
        summary: "subject",
        description: "description",
        details: "description",
        files: "files",
        attachments: "files",
        body: "description",
        message: "description",
        organization: "organization",
        organizationname: "organization",
        company: "organization",
        client: "organization",
        clientname: "organization",
        customer: "organization",
        customername: "organization",
        requester: "requester_email",
        requesteremail: "requester_email",
        email: "requester_email",
        contactemail: "requester_email",
        customeremail: "requester_email",
        fromemail: "requester_email",
        requestername: "requester_name",
        contact: "requester_name",
        contactname: "requester_name",
        user: "requester_name",
        from: "requester_name",
        status: "status",
        state: "status",
        priority: "priority",
        category: "category",
        assignee: "assignee",
        assignedto: "assignee",
        agent: "assignee",
        owner: "assignee",
        tech: "assignee",
        technician: "assignee",
        opened: "opened",
        created: "opened",
        createdat: "opened",
        createdon: "opened",
        datecreated: "opened",
        dateopened: "opened",
        closed: "closed",
        closedat: "closed",
        closedon: "closed",
        dateclosed: "closed",
        closeddate: "closed",
        resolvedat: "closed",
        dateresolved: "closed",
      },
    },
  },
  itflow: {
    dates: "ymd",
    columns: {
      organizations: { clientname: "name", website: "domains" },
      people: { name: "name", email: "email", phone: "phone", mobile: "phone", client: "organization" },
      tickets: {
        ticketnumber: "old_number",
        subject: "subject",
        priority: "priority",
        status: "status",
        dateopened: "opened",
        dateresolved: "closed",
        dateclosed: "closed",
      },
    },
  },
  freescout: {
    dates: "ymd",
    columns: {
      organizations: { company: "name" },
      people: { firstname: "first_name", lastname: "last_name", company: "organization", emails: "email" },
      tickets: {
        number: "old_number",
        subject: "subject",
        preview: "description",
        status: "status",
        customeremail: "requester_email",
        customername: "requester_name",
        customercompany: "organization",
        assignee: "assignee",
        createdat: "opened",
        closedat: "closed",
      },
    },
  },
  zammad: {
    dates: "ymd",
    columns: {
      organizations: { id: "old_id", name: "name", domain: "domains", note: "description" },
      people: {
        firstname: "first_name",
        lastname: "last_name",
        email: "email",
        phone: "phone",
        organization: "organization",
      },
      tickets: {
        number: "old_number",
        title: "subject",
        state: "status",
        priority: "priority",
        customer: "requester_email",
        organization: "organization",
        owner: "assignee",
        createdat: "opened",
        closeat: "closed",
        closedat: "closed",
      },
    },
  },
  osticket: {
    dates: "mdy",
    columns: {
      organizations: { name: "name", notes: "description" },
      people: { name: "name", email: "email", organization: "organization", phonenumber: "phone" },
      tickets: {
        ticketnumber: "old_number",
        datecreated: "opened",
        subject: "subject",
        from: "requester_name",
        fromemail: "requester_email",
        priority: "priority",
        helptopic: "category",
        currentstatus: "status",
        closeddate: "closed",
        agentassigned: "assignee",
        organization: "organization",
      },
    },
  },
  syncro: {
    dates: "mdy",
    columns: {
      organizations: { id: "old_id", businessname: "name", businessandfullname: "name", notes: "description" },
      people: {
        customer: "organization",
        customername: "organization",
        businessname: "organization",
        firstname: "first_name",
        lastname: "last_name",
        name: "name",
        email: "email",
        phone: "phone",
        mobile: "phone",
      },
      tickets: {
        ticket: "old_number",
        number: "old_number",
        subject: "subject",
        customer: "organization",
        clientname: "organization",
        contactemail: "requester_email",
        contact: "requester_name",
        status: "status",
        priority: "priority",
        issuetype: "category",
        tech: "assignee",
        created: "opened",
        createdon: "opened",
        resolved: "closed",
        closedon: "closed",
      },
    },
  },
  halo: {
    dates: "dmy",
    columns: {
      organizations: { clientname: "name", client: "name", notes: "description" },
      people: { username: "name", name: "name", emailaddress: "email", client: "organization", phonenumber: "phone" },
      tickets: {
        ticketid: "old_number",
        id: "old_number",
        summary: "subject",
        details: "description",
        client: "organization",
        user: "requester_name",
        emailaddress: "requester_email",
        status: "status",
        priority: "priority",
        category: "category",
        agent: "assignee",
        dateoccurred: "opened",
        dateclosed: "closed",
      },
    },
  },
};

/** Which field each column becomes by its name: of two for the same field the first. */
export function guessFields(preset: ImportPreset, kind: ImportKind, names: readonly string[]): (ImportField | "")[] {
  const taken = new Set<ImportField>();
  const own = names.map((name) => PRESETS[preset].columns[kind][columnKey(name)]);
  for (const field of own) if (field) taken.add(field);
  const seen = new Set<ImportField>();
  return names.map((name, index) => {
    const known = own[index] ?? PRESETS.generic.columns[kind][columnKey(name)];
    if (!known || seen.has(known) || (!own[index] && taken.has(known))) return "";
    seen.add(known);
    return known;
  });
}

const listed = (meanings: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(meanings).flatMap(([meaning, words]) => words.split(",").map((word) => [columnKey(word), meaning])),
  );

/** What nobody has to be asked. */
const KNOWN_WORDS: Record<Exclude<WordField, "assignee">, Record<string, string>> = {
  status: listed({
    open: "open,new,active,reopened,unassigned,assigned,todo,customer reply",
    in_progress: "in progress,working,started,scheduled,on hold,pending reminder,waiting on parts,waiting for parts",
    waiting_for_customer:
      "waiting,waiting for customer,waiting on customer,waiting on client,awaiting customer,pending,waiting for client,awaiting reply,waiting on user",
    closed:
      "closed,resolved,solved,done,completed,complete,archived,pending close,merged,autoclosed,auto closed,spam,deleted,invoiced",
  }),
  priority: listed({
    low: "low,1 low,4,p4,minor,low priority",
    medium: "medium,normal,2 normal,3,p3,default,standard",
    high: "high,3 high,2,p2,major",
    urgent: "urgent,emergency,critical,1,p1,blocker,very high",
  }),
};

/** Staff are recognized by their names, elsewhere. */
export const knownMeaning = (field: WordField, word: string): string | undefined =>
  field === "assignee" ? undefined : KNOWN_WORDS[field][columnKey(word)];
