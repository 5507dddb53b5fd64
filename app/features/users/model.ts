import type { SubjectKind } from "~/access/policy";
import type { NamedSubject } from "~/lib/subject";
import { fold } from "~/lib/text";

export const USERS_PATH = "/admin/users";

export const NEW_USER_PATH = "/admin/users/new";

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

export const STAFF_FAILED = "Failed to load staff";

export const nameColumns = (fullName: string) => ({ full_name: fullName, search_name: fold(fullName) });
