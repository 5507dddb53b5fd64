-- Notes are about any subject, so they no longer point at one table; what deletes a subject deletes its notes.
CREATE TABLE `__new_admin_notes` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`subject_type` text NOT NULL,
	`subject_id` text NOT NULL,
	`admin_user_id` text NOT NULL,
	`author_name` text NOT NULL,
	`note` text NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_admin_notes`(id, created_at, updated_at, version, subject_type, subject_id, admin_user_id, author_name, note)
SELECT id, created_at, updated_at, version, 'submission', submission_id, admin_user_id, author_name, note FROM `admin_notes`;
--> statement-breakpoint
DROP TABLE `admin_notes`;--> statement-breakpoint
ALTER TABLE `__new_admin_notes` RENAME TO `admin_notes`;--> statement-breakpoint
CREATE INDEX `notes_by_subject` ON `admin_notes` (`subject_type`,`subject_id`,`created_at`,`id`);--> statement-breakpoint
-- Files belong to the submission that points at them.
ALTER TABLE `attachments` ADD `subject_type` text;--> statement-breakpoint
ALTER TABLE `attachments` ADD `subject_id` text;--> statement-breakpoint
UPDATE attachments SET subject_type = 'submission', subject_id = s.id
FROM contact_submissions s WHERE s.attachment_id = attachments.id;
--> statement-breakpoint
CREATE INDEX `attachments_by_subject` ON `attachments` (`subject_type`,`subject_id`);--> statement-breakpoint
DROP INDEX `outbox_by_object`;--> statement-breakpoint
ALTER TABLE `outbox` RENAME COLUMN `object_id` TO `subject_id`;--> statement-breakpoint
ALTER TABLE `outbox` ADD `subject_type` text;--> statement-breakpoint
UPDATE outbox SET subject_type = 'submission' WHERE subject_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `outbox_by_subject` ON `outbox` (`subject_type`,`subject_id`) WHERE subject_id is not null and params_enc is not null;--> statement-breakpoint
DROP INDEX `live_events_by_object`;--> statement-breakpoint
ALTER TABLE `live_events` RENAME COLUMN `object_id` TO `subject_id`;--> statement-breakpoint
ALTER TABLE `live_events` ADD `subject_type` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE live_events SET subject_type = CASE type WHEN 'mfa_event' THEN 'user' WHEN 'ticket_event' THEN 'ticket' ELSE 'submission' END;
--> statement-breakpoint
CREATE INDEX `live_events_by_subject` ON `live_events` (`subject_type`,`subject_id`);--> statement-breakpoint
-- The record of who did what: its triggers and the computed column make room and return at the end.
DROP TRIGGER activity_counted;
--> statement-breakpoint
DROP TRIGGER activity_uncounted;
--> statement-breakpoint
DROP TRIGGER audit_is_append_only;
--> statement-breakpoint
DROP INDEX `audit_by_type`;--> statement-breakpoint
DROP INDEX `audit_by_object`;--> statement-breakpoint
ALTER TABLE `audit_events` DROP COLUMN `activity_type`;--> statement-breakpoint
ALTER TABLE `audit_events` RENAME COLUMN `object_type` TO `subject_type`;--> statement-breakpoint
ALTER TABLE `audit_events` RENAME COLUMN `object_id` TO `subject_id`;--> statement-breakpoint
ALTER TABLE `audit_events` ADD `actor_name` text;--> statement-breakpoint
ALTER TABLE `audit_events` ADD `actor_email` text;--> statement-breakpoint
ALTER TABLE `audit_events` ADD `subject_label` text;--> statement-breakpoint
ALTER TABLE `audit_events` ADD `search_text` text DEFAULT '' NOT NULL;--> statement-breakpoint
-- A note is not a subject: an event about one is about what the note stands on.
UPDATE audit_events SET subject_type = 'submission', subject_id = meta_json ->> '$.submission',
  meta_json = json_set(json_remove(meta_json, '$.submission'), '$.note', subject_id)
WHERE subject_type = 'note' AND meta_json ->> '$.submission' IS NOT NULL;
--> statement-breakpoint
-- Neither is a session nor a second factor: such an event is about the account.
UPDATE audit_events SET subject_type = 'user', subject_id = actor_id,
  meta_json = CASE WHEN subject_id IS NULL THEN meta_json ELSE json_set(coalesce(meta_json, '{}'), '$.session', subject_id) END
WHERE subject_type = 'session';
--> statement-breakpoint
UPDATE audit_events SET subject_type = 'user' WHERE subject_type = 'mfa';
--> statement-breakpoint
-- Names as they are known now. Those of deleted submissions are known no more, and stay empty.
UPDATE audit_events SET
  actor_name = (SELECT full_name FROM users WHERE users.id = actor_id),
  actor_email = (SELECT email FROM users WHERE users.id = actor_id),
  subject_label = CASE subject_type
    WHEN 'submission' THEN (SELECT first_name || ' ' || last_name FROM contact_submissions s WHERE s.id = subject_id)
    WHEN 'user' THEN (SELECT full_name FROM users WHERE users.id = subject_id)
    WHEN 'organization' THEN (SELECT name FROM organizations WHERE organizations.id = subject_id) END;
--> statement-breakpoint
-- What a search looks in, as `auditSearchText` writes it. Folding needs the application; here the letters of Latin, Greek and
-- Cyrillic scripts are replaced one by one, once for each name and not for each event.
CREATE TABLE `__folded_names` (`name` text PRIMARY KEY NOT NULL, `folded` text NOT NULL);
--> statement-breakpoint
WITH RECURSIVE
  names(name) AS (
    SELECT actor_name FROM audit_events WHERE actor_name IS NOT NULL
    UNION SELECT subject_label FROM audit_events WHERE subject_label IS NOT NULL
    UNION SELECT meta_json ->> '$.owner' FROM audit_events WHERE meta_json ->> '$.owner' IS NOT NULL),
  letters(accented, plain) AS (VALUES (
    'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞàáâãäåçèéêëìíîïñòóôõöøùúûüýÿĀāĂăĄąĆćĈĉĊċČčĎďĐĒēĔĕĖėĘęĚěĜĝĞğĠġĢģĤĥĦĨĩĪīĬĭĮįİĴĵĶķĹĺĻļĽľŁłŃńŅņŇňŊŌōŎŏŐőŒŔŕŖŗŘřŚśŜŝŞşŠšŢţŤťŦŨũŪūŬŭŮůŰűŲųŴŵŶŷŸŹźŻżŽžſƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƠơƢƤƦƧƩƬƮƯưƱƲƳƵƷƸƼǍǎǏǐǑǒǓǔǕǖǗǘǙǚǛǜǞǟǠǡǢǣǤǦǧǨǩǪǫǬǭǮǯǰǴǵǶǷǸǹǺǻǼǽǾǿȀȁȂȃȄȅȆȇȈȉȊȋȌȍȎȏȐȑȒȓȔȕȖȗȘșȚțȜȞȟȠȢȤȦȧȨȩȪȫȬȭȮȯȰȱȲȳȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲʹͶͿΆΈΉΊΌΎΏΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫάέήίΰϊϋόύώϏϐϑϒϓϔϕϖϘϚϜϞϠϢϤϦϨϪϬϮϰϱϲϴϵϷϹϺϽϾϿЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯйѐёѓїќѝўѠѢѤѦѨѪѬѮѰѲѴѶѷѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӁӂӃӅӇӉӋӍӐӑӒӓӔӖӗӘӚӛӜӝӞӟӠӢӣӤӥӦӧӨӪӫӬӭӮӯӰӱӲӳӴӵӶӸӹӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮḀḁḂḃḄḅḆḇḈḉḊḋḌḍḎḏḐḑḒḓḔḕḖḗḘḙḚḛḜḝḞḟḠḡḢḣḤḥḦḧḨḩḪḫḬḭḮḯḰḱḲḳḴḵḶḷḸḹḺḻḼḽḾḿṀṁṂṃṄṅṆṇṈṉṊṋṌṍṎṏṐṑṒṓṔṕṖṗṘṙṚṛṜṝṞṟṠṡṢṣṤṥṦṧṨṩṪṫṬṭṮṯṰṱṲṳṴṵṶṷṸṹṺṻṼṽṾṿẀẁẂẃẄẅẆẇẈẉẊẋẌẍẎẏẐẑẒẓẔẕẖẗẘẙẛẠạẢảẤấẦầẨẩẪẫẬậẮắẰằẲẳẴẵẶặẸẹẺẻẼẽẾếỀềỂểỄễỆệỈỉỊịỌọỎỏỐốỒồỔổỖỗỘộỚớỜờỞởỠỡỢợỤụỦủỨứỪừỬửỮữỰựỲỳỴỵỶỷỸỹỺỼỾἀἁἂἃἄἅἆἇἈἉἊἋἌἍἎἏἐἑἒἓἔἕἘἙἚἛἜἝἠἡἢἣἤἥἦἧἨἩἪἫἬἭἮἯἰἱἲἳἴἵἶἷἸἹἺἻἼἽἾἿὀὁὂὃὄὅὈὉὊὋὌὍὐὑὒὓὔὕὖὗὙὛὝὟὠὡὢὣὤὥὦὧὨὩὪὫὬὭὮὯὰάὲέὴήὶίὸόὺύὼώᾀᾁᾂᾃᾄᾅᾆᾇᾈᾉᾊᾋᾌᾍᾎᾏᾐᾑᾒᾓᾔᾕᾖᾗᾘᾙᾚᾛᾜᾝᾞᾟᾠᾡᾢᾣᾤᾥᾦᾧᾨᾩᾪᾫᾬᾭᾮᾯᾰᾱᾲᾳᾴᾶᾷᾸᾹᾺΆᾼιῂῃῄῆῇῈΈῊΉῌῐῑῒΐῖῗῘῙῚΊῠῡῢΰῤῥῦῧῨῩῪΎῬῲῳῴῶῷῸΌῺΏῼ',
    'aaaaaaæceeeeiiiiðnoooooouuuuyþaaaaaaceeeeiiiinoooooouuuuyyaaaaaaccccccccddđeeeeeeeeeegggggggghhħiiiiiiiiijjkkllllllllnnnnnnŋooooooœrrrrrrssssssssttttŧuuuuuuuuuuuuwwyyyzzzzzzsɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵooƣƥʀƨʃƭʈuuʊʋƴƶʒƹƽaaiioouuuuuuuuuuaaaaææǥggkkooooʒʒjggƕƿnnaaææooaaaaeeeeiiiioooorrrruuuussttȝhhƞȣȥaaeeooooooooyyⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳʹͷϳαεηιουωιαβγδεζηθικλμνξοπρστυφχψωιυαεηιυιυουωϗβθυυυφπϙϛϝϟϡϣϥϧϩϫϭϯκρςθεϸσϻͻͼͽееђгєѕііјљњћкиуџабвгдежзииклмнопрстуфхцчшщъыьэюяиеегікиуѡѣѥѧѩѫѭѯѱѳѵѵѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏжжӄӆӈӊӌӎааааӕееәәәжжззӡииииооөөөээууууууччӷыыӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯaabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwysaaaaaaaaaaaaaaaaaaaaaaaaeeeeeeeeeeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyyỻỽỿααααααααααααααααεεεεεεεεεεεεηηηηηηηηηηηηηηηηιιιιιιιιιιιιιιιιοοοοοοοοοοοουυυυυυυυυυυυωωωωωωωωωωωωωωωωααεεηηιιοουυωωααααααααααααααααηηηηηηηηηηηηηηηηωωωωωωωωωωωωωωωωααααααααααααιηηηηηεεηηηιιιιιιιιιιυυυυρρυυυυυυρωωωωωοοωωω')),
  folding(name, i, folded) AS (
    SELECT name, 0, replace(lower(name), 'ß', 'ss') FROM names
    UNION ALL
    SELECT name, i + 1, replace(folded, substr(accented, i + 1, 1), substr(plain, i + 1, 1)) FROM folding, letters
    WHERE i < length(accented) AND length(CAST(folded AS blob)) > length(folded))
INSERT INTO __folded_names(name, folded) SELECT name, folded FROM (
  SELECT name, folded, row_number() OVER (PARTITION BY name ORDER BY i DESC) AS place FROM folding) WHERE place = 1;
--> statement-breakpoint
WITH words(action, text) AS (VALUES
  ('session.started', 'signed in'),
  ('session.ended', 'signed out'),
  ('session.refused', 'was refused at sign-in'),
  ('session.renewed', 'proved again who they are'),
  ('session.revoked', 'signed out another session'),
  ('user.signed_up', 'created an account'),
  ('user.confirmed', 'confirmed an email address'),
  ('user.profile_changed', 'changed their profile'),
  ('user.password_changed', 'changed their password'),
  ('user.password_reset', 'chose a new password by a reset link'),
  ('user.password_locked', 'had password sign-in switched off after a hundred failures'),
  ('user.email_change_requested', 'asked for another email address'),
  ('user.email_changed', 'changed their email address'),
  ('user.email_change_undone', 'undid a change of email address'),
  ('user.sessions_ended', 'signed out everywhere'),
  ('user.first_admin_created', 'set up the first administrator'),
  ('mfa.enabled', 'set up two-step sign-in'),
  ('mfa.reconfigured', 'changed their authenticator'),
  ('mfa.disabled', 'switched off two-step sign-in'),
  ('mfa.codes_renewed', 'made new backup codes'),
  ('mfa.recovery_link_made', 'made a recovery link for two-step sign-in'),
  ('organization.created', 'created an organization'),
  ('organization.mfa_requirement_changed', 'changed whether an organization requires two-step sign-in'),
  ('submission.received', 'sent a submission'),
  ('submission.status_changed', 'changed the status of a submission'),
  ('submission.file_downloaded', 'downloaded a file of a submission'),
  ('submission.released', 'released a submission from review'),
  ('submission.assigned', 'assigned a submission'),
  ('submission.replied', 'replied to a submission'),
  ('submission.deleted', 'deleted submissions'),
  ('submission.exported', 'exported submissions'),
  ('note.added', 'added a note'),
  ('note.edited', 'edited a note'),
  ('note.deleted', 'deleted a note'),
  ('settings.brand_changed', 'changed what the site says about the company'))
UPDATE audit_events SET search_text =
  coalesce((SELECT folded FROM __folded_names WHERE name = subject_label), '') || char(10) ||
  coalesce((SELECT text FROM words WHERE words.action = audit_events.action), action) ||
  coalesce(' ' || nullif(substr(
    coalesce(', ' || replace(meta_json ->> '$.from', '_', ' ') || ' to ' || replace(meta_json ->> '$.to', '_', ' '), '') ||
    coalesce(', held: ' || replace(meta_json ->> '$.held', '_', ' '), '') ||
    coalesce(', owner ' || (SELECT folded FROM __folded_names WHERE name = meta_json ->> '$.owner'), '') ||
    coalesce(', follow up on ' || (meta_json ->> '$.follow_up_on'), '') ||
    CASE json_type(meta_json, '$.count') WHEN 'integer' THEN ', ' || printf('%,d', meta_json ->> '$.count') || ' of them' ELSE '' END ||
    CASE json_type(meta_json, '$.rows') WHEN 'integer' THEN ', ' || printf('%,d', meta_json ->> '$.rows') || ' rows' ELSE '' END ||
    CASE json_type(meta_json, '$.reason') WHEN 'text' THEN ', ' || replace(meta_json ->> '$.reason', '_', ' ') ELSE '' END,
    3), ''), '') || char(10) ||
  trim(coalesce((SELECT folded FROM __folded_names WHERE name = actor_name), '') || ' ' || coalesce(actor_email, ''));
--> statement-breakpoint
DROP TABLE `__folded_names`;--> statement-breakpoint
ALTER TABLE `audit_events` ADD `activity_type` text GENERATED ALWAYS AS (case when action = 'submission.status_changed' then 'status_change' when substr(action, 1, instr(action, '.')) in ('session.', 'mfa.', 'security.') then 'security' else substr(action, 1, instr(action, '.') - 1) end) VIRTUAL;--> statement-breakpoint
CREATE INDEX `audit_by_type` ON `audit_events` (`activity_type`,`id`);--> statement-breakpoint
CREATE INDEX `audit_by_subject` ON `audit_events` (`subject_type`,`subject_id`,`id`);--> statement-breakpoint
-- Records of who did what are append-only. One thing can be taken out of them: the name of a subject that is deleted.
CREATE TRIGGER audit_is_append_only BEFORE UPDATE ON audit_events
WHEN NEW.subject_label IS NOT NULL
  OR NEW.search_text <> substr(OLD.search_text, instr(OLD.search_text, char(10)))
  OR (NEW.id, NEW.at, NEW.actor_id, NEW.actor_role, NEW.actor_name, NEW.actor_email, NEW.on_behalf_of, NEW.action,
      NEW.subject_type, NEW.subject_id, NEW.org_id, NEW.ip, NEW.request_id, NEW.meta_json)
    IS NOT (OLD.id, OLD.at, OLD.actor_id, OLD.actor_role, OLD.actor_name, OLD.actor_email, OLD.on_behalf_of, OLD.action,
      OLD.subject_type, OLD.subject_id, OLD.org_id, OLD.ip, OLD.request_id, OLD.meta_json)
BEGIN
  SELECT RAISE(ABORT, 'audit events cannot be changed');
END;
--> statement-breakpoint
-- The figures of the activity screen. The rows were counted when they came; only the names of the columns have changed.
CREATE TRIGGER activity_counted AFTER INSERT ON audit_events BEGIN
  UPDATE totals SET value = value + 1
  WHERE name = 'activity.all'
    OR (name = 'activity.submission' AND NEW.activity_type IN ('submission', 'status_change'))
    OR (name = 'activity.people' AND NEW.actor_id IS NOT NULL);
END;
--> statement-breakpoint
CREATE TRIGGER activity_uncounted AFTER DELETE ON audit_events BEGIN
  UPDATE totals SET value = value - 1
  WHERE name = 'activity.all'
    OR (name = 'activity.submission' AND OLD.activity_type IN ('submission', 'status_change'))
    OR (name = 'activity.people' AND OLD.actor_id IS NOT NULL);
END;
