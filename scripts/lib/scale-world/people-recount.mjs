/** Does what the triggers of accounts and memberships would have done. */
export const PEOPLE_RECOUNT = `
  update totals set value = (select count(*) from users where 'user.' || listed_role = totals.name)
    where name in ('user.admin', 'user.moderator', 'user.user');
  delete from account_counts;
  insert into account_counts(length, step, admin, moderator, user)
    select l.value, u.created_at / (60000 * l.value), sum(u.listed_role = 'admin'), sum(u.listed_role = 'moderator'),
      sum(u.listed_role = 'user')
    from users u cross join json_each('[15, 1440]') l group by 1, 2;
  update totals set value = (select count(*) from organization_memberships where 'membership.' || status = totals.name)
    where name in ('membership.active', 'membership.pending', 'membership.suspended');
  update totals set value = (select count(*) from organization_memberships where role <> 'member')
    where name = 'membership.administrators';
  update organizations set
    all_members = (select count(*) from organization_memberships m where m.organization_id = organizations.id),
    active_members = (select count(*) from organization_memberships m
      where m.organization_id = organizations.id and m.status = 'active'),
    administrators = (select count(*) from organization_memberships m
      where m.organization_id = organizations.id and m.role <> 'member'),
    members_without_mfa = (select count(*) from organization_memberships m
      where m.organization_id = organizations.id and m.status = 'active'
        and not exists (select 1 from user_mfa_settings f where f.user_id = m.user_id and f.is_enabled = 1));
  insert into user_search(user_search) values ('rebuild');
  insert into membership_search(membership_search) values ('rebuild');`;
