import type { SubjectKind } from "~/access/subject";
import type { NamedSubject } from "~/lib/subject";

export const USERS_PATH = "/admin/users";

export const NEW_USER_PATH = "/admin/users/new";

/** Returns the path of the page about an account. */
export const userPath = (id: string): string => `${USERS_PATH}/${id}`;

export const userKind: SubjectKind = {
  noun: "person",
  idPrefix: "usr",
  ability: "user.view",
  pages: { staff: userPath },
  listPath: USERS_PATH,
};

export const userSubject = ({ userId, fullName }: { userId: string; fullName: string }): NamedSubject => ({
  type: "user",
  id: userId,
  label: fullName,
});
