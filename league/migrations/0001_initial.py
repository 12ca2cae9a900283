"""Every table of the first version, and the table of the database cache.

A database that has all the migrations this one replaces comes over by `migrate`, which finds
nothing to do; one that has only some is refused. Models stand in an order in which none refers to
a later one: SQLite would copy each such table once more.
"""

import django.contrib.auth.models
import django.contrib.auth.validators
import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import league.members.models.accounts
import league.members.validators
import league.play.models
import league.seasons.models
import league.seating.models
import league.standings.models
import league.tournaments.models
from decimal import Decimal
from django.conf import settings
from django.core.management import call_command
from django.db import migrations, models


def make_cache_table(apps, schema_editor):
    """So that `migrate` alone makes a database the site can run on."""
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


class CreateTables(migrations.SeparateDatabaseAndState):
    """All models at once. One after the other, Django would build every model again for each next
    one: half of the time that a new database takes."""

    def state_forwards(self, app_label, state):
        state.__dict__.pop("apps", None)  # built when it is next asked for
        super().state_forwards(app_label, state)

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        for model in self.state_operations:
            model.database_forwards(app_label, schema_editor, from_state, to_state)


MODELS = [
    migrations.CreateModel(
        name='User',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('password', models.CharField(max_length=128, verbose_name='password')),
            ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
            ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
            ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
            ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
            ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
            ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
            ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
            ('display_name', models.CharField(blank=True, max_length=60, verbose_name='name shown to others')),
            ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
            ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
        ],
        options={
            'verbose_name': 'user',
            'verbose_name_plural': 'users',
            'abstract': False,
        },
        managers=[
            ('objects', django.contrib.auth.models.UserManager()),
        ],
    ),
    migrations.CreateModel(
        name='Club',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('slug', models.SlugField(max_length=60, unique=True, verbose_name='address')),
            ('name', models.CharField(max_length=80, verbose_name='name')),
            ('time_zone', models.CharField(default='UTC', max_length=60, validators=[league.members.validators.validate_time_zone], verbose_name='time zone')),
            ('seating_policy', models.CharField(choices=[('club', 'Nobody sits out, as many fours as can be'), ('no_twos', 'No two-handed table'), ('sitout', 'Tables of four; the rest sit out in turn'), ('own', "The club's own table of numbers")], default='club', max_length=10, verbose_name='how tables are made up')),
            ('seating_table', models.JSONField(blank=True, default=dict, validators=[league.members.validators.validate_seating_table], verbose_name='own table of numbers')),
            ('confirm', models.CharField(choices=[('none', 'Nobody: a game counts when it ends'), ('opponent', 'The other side at the table'), ('organiser', 'An organiser')], default='none', max_length=10, verbose_name='who confirms a game')),
            ('auto_accept_minutes', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(10080)], verbose_name='accepted by itself after (minutes)')),
            ('correction_minutes', models.PositiveIntegerField(default=120, validators=[django.core.validators.MaxValueValidator(10080)], verbose_name='the table may correct its hands for (minutes)')),
            ('tricks_entry', models.CharField(choices=[('outcomes', 'Euchred, made or march'), ('count', 'The number of tricks')], default='outcomes', max_length=10, verbose_name='what the table page asks for')),
            ('measures', models.JSONField(blank=True, default=list, validators=[league.members.validators.validate_measures], verbose_name='what standings rank by, in order')),
            ('shows_ratings', models.BooleanField(default=False, verbose_name='show ratings beside the standings')),
            ('keeps_pots', models.BooleanField(default=False, verbose_name='keep prizes and pots')),
            ('currency', models.CharField(blank=True, max_length=8, verbose_name='money is written in')),
            ('visibility', models.CharField(choices=[('members', 'Members only'), ('standings', 'Anybody may see standings and games')], default='members', max_length=10, verbose_name='who may look')),
            ('names_in_public', models.CharField(choices=[('full', 'The name as written'), ('initials', 'First name and initial'), ('hidden', 'No name, but for those who wish theirs shown')], default='initials', max_length=10, verbose_name='names in public')),
            ('listed', models.BooleanField(default=True, editable=False, verbose_name='listed on the first page')),
            ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
        ],
        options={
            'ordering': ['name'],
        },
    ),
    migrations.CreateModel(
        name='Role',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='roles', to='league.club')),
            ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='roles', to=settings.AUTH_USER_MODEL)),
            ('rank', models.CharField(choices=[('owner', 'Owner'), ('organiser', 'Organiser'), ('scorekeeper', 'Scorekeeper'), ('member', 'Member')], max_length=12, verbose_name='rank')),
            ('given_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ('calendar_since', models.DateTimeField(blank=True, editable=False, null=True)),
        ],
        options={
            'constraints': [models.UniqueConstraint(fields=('club', 'user'), name='one_role_a_club')],
        },
    ),
    migrations.CreateModel(
        name='Job',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('public_id', models.CharField(default=league.members.models.accounts.new_public_id, editable=False, max_length=16, unique=True)),
            ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='league.club')),
            ('kind', models.CharField(choices=[('import-people', 'Import players'), ('import-sessions', 'Import sessions'), ('import-results', 'Import results'), ('import-hands', 'Import hands'), ('export-results', 'Export results'), ('export-club', 'Full backup of the club')], max_length=20)),
            ('task', models.CharField(max_length=100)),
            ('params', models.JSONField(default=dict)),
            ('least', models.CharField(choices=[('owner', 'Owner'), ('organiser', 'Organiser'), ('scorekeeper', 'Scorekeeper'), ('member', 'Member')], max_length=12)),
            ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('source', models.CharField(blank=True, max_length=60)),
            ('language', models.CharField(max_length=10)),
            ('state', models.CharField(choices=[('waiting', 'Waiting to start'), ('running', 'Running'), ('ready', 'Ready to check'), ('done', 'Done'), ('refused', 'Not done'), ('cancelled', 'Cancelled. Nothing was changed.'), ('interrupted', 'Interrupted. Nothing was changed.'), ('failed', 'Something went wrong. Nothing was changed.')], default='waiting', max_length=12)),
            ('step', models.CharField(blank=True, choices=[('reading', 'Reading the file'), ('checking', 'Checking each line'), ('preparing', 'Preparing'), ('saving', 'Saving'), ('writing', 'Writing the file')], max_length=12)),
            ('done', models.PositiveIntegerField(default=0)),
            ('total', models.PositiveIntegerField(default=0)),
            ('cancelled', models.BooleanField(default=False)),
            ('sentence', models.TextField(blank=True)),
            ('leads_to', models.CharField(blank=True, max_length=40)),
            ('agreed', models.CharField(blank=True, max_length=64)),
            ('preview', models.TextField(blank=True)),
            ('upload', models.BinaryField(null=True)),
            ('file', models.BinaryField(null=True)),
            ('file_name', models.CharField(blank=True, max_length=200)),
            ('file_kind', models.CharField(blank=True, max_length=10)),
            ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ('changed_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
        ],
        options={
            'ordering': ['-pk'],
            'constraints': [models.UniqueConstraint(condition=models.Q(('state__in', ('waiting', 'running'))), fields=('club', 'kind'), name='one_job_of_a_kind_under_way')],
        },
    ),
    migrations.CreateModel(
        name='LimitCount',
        fields=[
            ('name', models.CharField(max_length=64, primary_key=True, serialize=False)),
            ('counted', models.PositiveIntegerField()),
            ('opens_at', models.BigIntegerField()),
            ('ends_at', models.BigIntegerField(db_index=True)),
        ],
    ),
    migrations.CreateModel(
        name='Member',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='members', to='league.club')),
            ('public_id', models.CharField(default=league.members.models.accounts.new_public_id, editable=False, max_length=16, unique=True)),
            ('name', models.CharField(max_length=60, verbose_name='name')),
            ('name_key', models.CharField(editable=False, max_length=120)),
            ('former_names', models.JSONField(blank=True, default=list, editable=False)),
            ('email', models.EmailField(blank=True, max_length=254, verbose_name='e-mail')),
            ('confirmed_email', models.EmailField(blank=True, default='', editable=False, max_length=254)),
            ('asked_email', models.EmailField(blank=True, default='', editable=False, max_length=254)),
            ('is_guest', models.BooleanField(default=False, verbose_name='guest')),
            ('is_minor', models.BooleanField(default=False, verbose_name='under age')),
            ('shown', models.CharField(choices=[('club', 'As the club decides'), ('name', 'The name as written'), ('initials', 'First name and initial'), ('hidden', 'Not by name')], default='club', max_length=10, verbose_name='shown in public')),
            ('reminders', models.CharField(choices=[('never', 'Never'), ('mine', 'Before sessions I am signed up for'), ('all', 'Before every session of the club')], default='never', max_length=10, verbose_name='reminded by e-mail')),
            ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='players', to=settings.AUTH_USER_MODEL)),
            ('joined_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ('retired_at', models.DateTimeField(blank=True, editable=False, null=True)),
            ('erased_at', models.DateTimeField(blank=True, editable=False, null=True)),
            ('erased_marks', models.JSONField(blank=True, default=list, editable=False)),
            ('merged_into', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='merged', to='league.member')),
        ],
        options={
            'ordering': ['name_key', 'id'],
            'indexes': [models.Index(fields=['club', 'name_key'], name='member_by_name')],
            'constraints': [models.UniqueConstraint(condition=models.Q(('user__isnull', False)), fields=('club', 'user'), name='one_player_an_account')],
        },
    ),
    migrations.CreateModel(
        name='Invitation',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='league.club')),
            ('rank', models.CharField(choices=[('owner', 'Owner'), ('organiser', 'Organiser'), ('scorekeeper', 'Scorekeeper'), ('member', 'Member')], max_length=12, verbose_name='rank')),
            ('member', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='league.member')),
            ('to_user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to=settings.AUTH_USER_MODEL)),
            ('token_hash', models.CharField(max_length=64, unique=True)),
            ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
            ('expires_at', models.DateTimeField()),
            ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
            ('used_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('used_at', models.DateTimeField(blank=True, null=True)),
        ],
        options={
            'ordering': ['-made_at'],
        },
    ),
    migrations.CreateModel(
        name='ClubRuleset',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rulesets', to='league.club')),
            ('public_id', models.CharField(default=league.members.models.accounts.new_public_id, editable=False, max_length=16, unique=True)),
            ('name', models.CharField(max_length=80, verbose_name='name')),
            ('players', models.PositiveSmallIntegerField(verbose_name='players')),
            ('version', models.PositiveSmallIntegerField(default=1)),
            ('preset', models.CharField(blank=True, max_length=60)),
            ('body', models.JSONField(validators=[league.members.validators.validate_ruleset])),
            ('is_default', models.BooleanField(default=False)),
            ('retired', models.BooleanField(default=False)),
            ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
            ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
        ],
        options={
            'ordering': ['players', 'name', '-version'],
            'constraints': [models.UniqueConstraint(fields=('club', 'name', 'players', 'version'), name='one_ruleset_version'), models.UniqueConstraint(condition=models.Q(('is_default', True)), fields=('club', 'players'), name='one_default_ruleset_a_size')],
        },
    ),
    migrations.CreateModel(
        name='ApiToken',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to='league.club')),
            ('name', models.CharField(max_length=60, verbose_name='name')),
            ('scope', models.CharField(choices=[('public', 'Read what anybody may see, names as in public'), ('read', 'Read what members see'), ('record', 'Read, and write down hands at every table'), ('organise', 'Read everything, who did what too, and correct hands at any time')], max_length=10, verbose_name='what it may do')),
            ('token_hash', models.CharField(max_length=64, unique=True)),
            ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
            ('used_at', models.DateTimeField(blank=True, null=True)),
            ('revoked_at', models.DateTimeField(blank=True, null=True)),
        ],
        options={
            'ordering': ['-made_at', '-id'],
        },
    ),
    migrations.CreateModel(
        name='Season',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seasons', to='league.club')),
            ('public_id', models.CharField(default=league.members.models.accounts.new_public_id, editable=False, max_length=16, unique=True)),
            ('name', models.CharField(max_length=80, verbose_name='name')),
            ('starts_on', models.DateField(validators=[league.members.validators.validate_day], verbose_name='first day')),
            ('ends_on', models.DateField(blank=True, null=True, validators=[league.members.validators.validate_day], verbose_name='last day')),
            ('counts', models.CharField(choices=[('total', 'All evenings added up'), ('average', 'The mean evening'), ('best', "Each one's best evenings"), ('drop', 'All evenings but the worst')], default='total', max_length=10, verbose_name='what counts')),
            ('counted_number', models.PositiveSmallIntegerField(default=0, validators=[django.core.validators.MaxValueValidator(400)], verbose_name='how many evenings')),
            ('minimum_evenings', models.PositiveSmallIntegerField(default=0, validators=[django.core.validators.MaxValueValidator(400)], verbose_name='evenings for a place')),
            ('guests_count', models.BooleanField(default=True, verbose_name='guests are in the table')),
            ('attendance_points', models.DecimalField(decimal_places=2, default=0, max_digits=5, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(100)], verbose_name='points for coming')),
            ('place_points', models.JSONField(blank=True, default=list, validators=[league.seasons.models.validate_place_points], verbose_name='points for places')),
            ('moving', models.PositiveSmallIntegerField(default=0, validators=[django.core.validators.MaxValueValidator(50)], verbose_name='how many go up and down')),
            ('follows', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='followed_by', to='league.season')),
            ('closed_at', models.DateTimeField(blank=True, null=True, verbose_name='closed')),
        ],
        options={
            'ordering': ['-starts_on'],
        },
    ),
    migrations.CreateModel(
        name='Division',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='divisions', to='league.season')),
            ('number', models.PositiveSmallIntegerField(validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(12)], verbose_name='number')),
            ('name', models.CharField(max_length=60, verbose_name='name')),
        ],
        options={
            'ordering': ['season', 'number'],
            'constraints': [models.UniqueConstraint(fields=('season', 'number'), name='one_division_a_number')],
        },
    ),
    migrations.CreateModel(
        name='Placement',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='placements', to='league.season')),
            ('division', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='placements', to='league.division')),
            ('member', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='placements', to='league.member')),
            ('outcome', models.CharField(blank=True, choices=[('', 'not decided yet'), ('up', 'goes up'), ('stay', 'stays'), ('down', 'goes down'), ('out', 'leaves')], default='', max_length=5)),
            ('by_lot', models.BooleanField(default=False)),
        ],
        options={
            'ordering': ['division__number', 'member__name_key', 'pk'],
            'constraints': [models.UniqueConstraint(fields=('season', 'member'), name='placed_once_a_season')],
        },
    ),
    migrations.CreateModel(
        name='Champion',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='champions', to='league.season')),
            ('division', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='champions', to='league.division')),
            ('member', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seasons_won', to='league.member')),
        ],
        options={
            'ordering': ['season', 'division__number', 'member'],
            'constraints': [models.UniqueConstraint(fields=('season', 'member'), name='champion_once_a_season')],
        },
    ),
    migrations.CreateModel(
        name='Session',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sessions', to='league.club')),
            ('season', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='sessions', to='league.season')),
            ('public_id', models.CharField(default=league.members.models.accounts.new_public_id, editable=False, max_length=16, unique=True)),
            ('name', models.CharField(max_length=80, verbose_name='name')),
            ('held_on', models.DateField(validators=[league.members.validators.validate_day], verbose_name='date')),
            ('begins_at', models.TimeField(blank=True, null=True, verbose_name='begins at')),
            ('places', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(2000)], verbose_name='places')),
            ('state', models.CharField(choices=[('planned', 'Planned'), ('open', 'Open'), ('closed', 'Closed'), ('cancelled', 'Cancelled')], default='open', max_length=10)),
            ('revision', models.PositiveIntegerField(default=0)),
            ('measures', models.JSONField(blank=True, default=list, validators=[league.members.validators.validate_measures])),
            ('door_version', models.PositiveIntegerField(default=1)),
            ('wall_version', models.PositiveIntegerField(default=1)),
            ('round_minutes', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(240)], verbose_name='minutes a round')),
            ('clock_ends_at', models.DateTimeField(blank=True, null=True)),
            ('clock_paused_seconds', models.PositiveIntegerField(blank=True, null=True, validators=[django.core.validators.MaxValueValidator(604800)])),
            ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
            ('closed_at', models.DateTimeField(blank=True, null=True)),
        ],
        options={
            'ordering': ['-held_on', '-id'],
            'indexes': [models.Index(fields=['club', '-held_on'], name='session_by_date')],
        },
    ),
    migrations.CreateModel(
        name='AuditEntry',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='audit', to='league.club')),
            ('session', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='audit', to='league.session')),
            ('at', models.DateTimeField(default=django.utils.timezone.now)),
            ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('actor', models.CharField(max_length=80)),
            ('source', models.CharField(blank=True, max_length=60)),
            ('action', models.CharField(max_length=40)),
            ('subject', models.CharField(blank=True, max_length=120)),
            ('old', models.JSONField(blank=True, null=True)),
            ('new', models.JSONField(blank=True, null=True)),
        ],
        options={
            'ordering': ['-id'],
            'indexes': [models.Index(fields=['club', '-id'], name='audit_by_club')],
        },
    ),
    migrations.CreateModel(
        name='SignUp',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sign_ups', to='league.session')),
            ('member', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sign_ups', to='league.member')),
            ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
            ('placed_at', models.DateTimeField(blank=True, null=True)),
            ('moved_up', models.BooleanField(default=False)),
            ('told_at', models.DateTimeField(blank=True, null=True)),
            ('told_off_at', models.DateTimeField(blank=True, null=True)),
        ],
        options={
            'ordering': ['pk'],
            'constraints': [models.UniqueConstraint(fields=('session', 'member'), name='signs_up_once')],
        },
    ),
    migrations.CreateModel(
        name='Reminder',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reminders', to='league.session')),
            ('member', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reminded_of', to='league.member')),
            ('sent_at', models.DateTimeField(default=django.utils.timezone.now)),
        ],
        options={
            'constraints': [models.UniqueConstraint(fields=('session', 'member'), name='reminded_once')],
        },
    ),
    migrations.CreateModel(
        name='Attendance',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attendances', to='league.session')),
            ('member', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='attendances', to='league.member')),
            ('arrived_at', models.DateTimeField(default=django.utils.timezone.now)),
            ('left_at', models.DateTimeField(blank=True, null=True)),
            ('resting', models.BooleanField(default=False, verbose_name='sits out for now')),
        ],
        options={
            'ordering': ['arrived_at', 'id'],
            'constraints': [models.UniqueConstraint(fields=('session', 'member'), name='attends_once')],
        },
    ),
    migrations.CreateModel(
        name='Wish',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='wishes', to='league.club')),
            ('kind', models.CharField(choices=[('never', 'Never at one table'), ('avoid', 'Better not at one table'), ('fixed', 'Always partners'), ('apart', 'At one table, but not partners'), ('together', 'Always at one table'), ('stays', 'Does not move')], max_length=10, verbose_name='wish')),
            ('first', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.member')),
            ('second', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.member')),
        ],
    ),
    migrations.CreateModel(
        name='Round',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rounds', to='league.session')),
            ('number', models.PositiveSmallIntegerField()),
            ('state', models.CharField(choices=[('draft', 'Draft'), ('published', 'Published'), ('withdrawn', 'Withdrawn')], default='draft', max_length=10)),
            ('seed', models.PositiveIntegerField()),
            ('version', models.PositiveIntegerField(default=1)),
            ('planner', models.CharField(blank=True, max_length=20)),
            ('by_tournament', models.BooleanField(default=False)),
            ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
            ('published_at', models.DateTimeField(blank=True, null=True)),
            ('sits_out', models.ManyToManyField(blank=True, related_name='+', to='league.member')),
        ],
        options={
            'ordering': ['number'],
            'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'withdrawn'), _negated=True), fields=('session', 'number'), name='one_round_a_number'), models.UniqueConstraint(condition=models.Q(('state', 'draft')), fields=('session',), name='one_draft_a_session')],
        },
    ),
    migrations.CreateModel(
        name='Table',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tables', to='league.session')),
            ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tables', to='league.round')),
            ('public_id', models.CharField(default=league.members.models.accounts.new_public_id, editable=False, max_length=16, unique=True)),
            ('number', models.PositiveSmallIntegerField()),
            ('players', models.PositiveSmallIntegerField(validators=[django.core.validators.MinValueValidator(2), django.core.validators.MaxValueValidator(4)])),
            ('ruleset', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='league.clubruleset')),
            ('first_dealer', models.PositiveSmallIntegerField(default=0)),
            ('dealer_draw', models.JSONField(blank=True, default=dict, validators=[league.seating.models.validate_dealer_draw])),
            ('totals_only', models.BooleanField(default=False)),
            ('link_version', models.PositiveIntegerField(default=1)),
            ('is_live', models.BooleanField(default=False)),
            ('asked_at', models.DateTimeField(blank=True, null=True)),
        ],
        options={
            'ordering': ['number'],
            'constraints': [models.UniqueConstraint(fields=('round', 'number'), name='one_table_a_number'), models.UniqueConstraint(condition=models.Q(('is_live', True)), fields=('session', 'number'), name='one_live_table_a_number')],
        },
    ),
    migrations.CreateModel(
        name='Seat',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='league.session')),
            ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='league.table')),
            ('position', models.PositiveSmallIntegerField()),
            ('member', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='league.member')),
            ('from_hand', models.PositiveSmallIntegerField(default=1)),
            ('until_hand', models.PositiveSmallIntegerField(blank=True, null=True)),
            ('seated', models.BooleanField(default=False)),
            ('locked', models.BooleanField(default=False)),
        ],
        options={
            'ordering': ['position', 'from_hand'],
            'constraints': [models.UniqueConstraint(condition=models.Q(('seated', True)), fields=('session', 'member'), name='nobody_sits_at_two_tables'), models.UniqueConstraint(condition=models.Q(('until_hand', None)), fields=('table', 'position'), name='one_on_a_chair')],
        },
    ),
    migrations.CreateModel(
        name='Game',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='games', to='league.session')),
            ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='games', to='league.table')),
            ('public_id', models.CharField(default=league.members.models.accounts.new_public_id, editable=False, max_length=16, unique=True)),
            ('number', models.PositiveSmallIntegerField(default=1)),
            ('ruleset', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='games', to='league.clubruleset')),
            ('first_dealer', models.PositiveSmallIntegerField(default=0)),
            ('state', models.CharField(choices=[('playing', 'Playing'), ('finished', 'Waiting to be confirmed'), ('disputed', 'Disputed'), ('confirmed', 'Done'), ('abandoned', 'Not played')], default='playing', max_length=10)),
            ('ended_by', models.CharField(blank=True, choices=[('', 'Play'), ('conceded', 'Conceded'), ('time', 'Time called'), ('decision', "Organiser's decision")], default='', max_length=10)),
            ('ended_after', models.PositiveSmallIntegerField(blank=True, null=True)),
            ('ended_seat', models.PositiveSmallIntegerField(blank=True, null=True)),
            ('decided_winners', models.JSONField(blank=True, null=True, validators=[league.play.models.validate_seats])),
            ('totals', models.JSONField(blank=True, null=True, validators=[league.play.models.validate_totals])),
            ('reopened', models.BooleanField(default=False)),
            ('hands_played', models.PositiveSmallIntegerField(default=0)),
            ('misfits', models.PositiveSmallIntegerField(default=0)),
            ('hands_written', models.PositiveIntegerField(default=0)),
            ('rulings_written', models.PositiveSmallIntegerField(default=0)),
            ('score', models.JSONField(default=list, validators=[league.play.models.validate_score])),
            ('winners', models.JSONField(blank=True, default=list, validators=[league.play.models.validate_seats])),
            ('accept_at', models.DateTimeField(blank=True, null=True)),
            ('started_at', models.DateTimeField(blank=True, null=True)),
            ('finished_at', models.DateTimeField(blank=True, null=True)),
        ],
        options={
            'ordering': ['table', 'number'],
            'indexes': [models.Index(fields=['session', 'state'], name='game_by_state')],
            'constraints': [models.UniqueConstraint(fields=('table', 'number'), name='one_game_a_number'), models.UniqueConstraint(condition=models.Q(('state', 'playing')), fields=('table',), name='one_game_at_a_time')],
        },
    ),
    migrations.CreateModel(
        name='Hand',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='hands', to='league.game')),
            ('number', models.PositiveSmallIntegerField()),
            ('version', models.PositiveSmallIntegerField(default=1)),
            ('client_id', models.CharField(max_length=40)),
            ('current', models.BooleanField(default=True)),
            ('struck', models.BooleanField(default=False)),
            ('out_of_turn', models.BooleanField(default=False)),
            ('record', models.JSONField(validators=[league.play.models.validate_record])),
            ('points', models.JSONField(blank=True, validators=[league.play.models.validate_score])),
            ('outcome', models.CharField(blank=True, max_length=20)),
            ('reason', models.CharField(blank=True, max_length=200)),
            ('entered_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('entered_as', models.CharField(max_length=80)),
            ('entered_at', models.DateTimeField(default=django.utils.timezone.now)),
            ('undone_at', models.DateTimeField(blank=True, null=True)),
            ('undone_as', models.CharField(blank=True, max_length=80)),
        ],
        options={
            'ordering': ['number', 'version'],
            'constraints': [models.UniqueConstraint(condition=models.Q(('current', True)), fields=('game', 'number'), name='one_hand_a_number'), models.UniqueConstraint(fields=('game', 'client_id'), name='one_hand_a_client_id'), models.UniqueConstraint(fields=('game', 'number', 'version'), name='one_hand_a_version')],
        },
    ),
    migrations.CreateModel(
        name='Ruling',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rulings', to='league.game')),
            ('after_hand', models.PositiveSmallIntegerField()),
            ('kind', models.CharField(choices=[('renege', 'Renege'), ('adjustment', 'Adjustment'), ('misdeal', 'Misdeal')], max_length=20)),
            ('by_seat', models.PositiveSmallIntegerField(blank=True, null=True)),
            ('about_hand', models.PositiveSmallIntegerField(blank=True, null=True)),
            ('form', models.CharField(blank=True, max_length=10)),
            ('against_lone', models.BooleanField(blank=True, null=True)),
            ('points', models.JSONField(blank=True, null=True, validators=[league.play.models.validate_totals])),
            ('reason', models.CharField(blank=True, max_length=200)),
            ('client_id', models.CharField(max_length=40)),
            ('entered_as', models.CharField(max_length=80)),
            ('entered_at', models.DateTimeField(default=django.utils.timezone.now)),
            ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
            ('withdrawn_as', models.CharField(blank=True, max_length=80)),
        ],
        options={
            'constraints': [models.UniqueConstraint(fields=('game', 'client_id'), name='one_ruling_a_client_id')],
        },
    ),
    migrations.CreateModel(
        name='Confirmation',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='confirmations', to='league.game')),
            ('accepted', models.BooleanField()),
            ('seat', models.PositiveSmallIntegerField(blank=True, null=True)),
            ('reason', models.CharField(blank=True, max_length=200)),
            ('said_as', models.CharField(max_length=80)),
            ('decision', models.CharField(blank=True, choices=[('stands', 'It counts at its score'), ('play_on', 'They play on'), ('new_end', 'It ended earlier'), ('decided', 'Winner decided'), ('abandoned', 'Not played')], max_length=10)),
            ('at', models.DateTimeField(default=django.utils.timezone.now)),
            ('settled_at', models.DateTimeField(blank=True, null=True)),
        ],
    ),
    migrations.CreateModel(
        name='Result',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='league.session')),
            ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='league.game')),
            ('member', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='results', to='league.member')),
            ('position', models.PositiveSmallIntegerField()),
            ('players', models.PositiveSmallIntegerField()),
            ('hands', models.PositiveSmallIntegerField()),
            ('finished', models.BooleanField()),
            ('provisional', models.BooleanField(default=False)),
            ('games', models.PositiveSmallIntegerField(default=1)),
            ('win_share', models.FloatField(default=0)),
            ('expected', models.FloatField(default=0)),
            ('points', models.IntegerField(default=0)),
            ('points_against', models.FloatField(default=0)),
            ('target', models.PositiveSmallIntegerField(default=0)),
            ('calls', models.PositiveSmallIntegerField(default=0)),
            ('calls_made', models.PositiveSmallIntegerField(default=0)),
            ('euchred', models.PositiveSmallIntegerField(default=0)),
            ('euchres', models.PositiveSmallIntegerField(default=0)),
            ('marches', models.PositiveSmallIntegerField(default=0)),
            ('lone_tried', models.PositiveSmallIntegerField(default=0)),
            ('lone_marches', models.PositiveSmallIntegerField(default=0)),
        ],
        options={
            'indexes': [models.Index(fields=['member', 'session'], name='result_by_member')],
            'constraints': [models.UniqueConstraint(fields=('game', 'member', 'position'), name='one_result_a_person_a_chair')],
        },
    ),
    migrations.CreateModel(
        name='Pot',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pots', to='league.club')),
            ('session', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='pots', to='league.session')),
            ('season', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='pots', to='league.season')),
            ('public_id', models.CharField(default=league.members.models.accounts.new_public_id, editable=False, max_length=16, unique=True)),
            ('name', models.CharField(max_length=60, verbose_name='name')),
            ('source', models.CharField(choices=[('entry', 'Everybody pays, each evening they play'), ('once', 'Everybody who plays pays once'), ('euchred', 'Whoever calls and is euchred pays, each time'), ('sum', 'The club puts in a fixed sum')], max_length=10, verbose_name='where it comes from')),
            ('amount', models.DecimalField(decimal_places=2, max_digits=8, validators=[django.core.validators.MinValueValidator(Decimal('0.01')), django.core.validators.MaxValueValidator(Decimal('99999'))], verbose_name='amount')),
            ('payout', models.CharField(choices=[('places', 'The first places, by percent'), ('most_loners', 'Whoever makes the most lone marches'), ('each_loner', 'Shared out by lone marches'), ('most_euchres', 'Whoever euchres others most'), ('kept', 'Nobody: it stays with the club')], max_length=12, verbose_name='who takes it')),
            ('shares', models.JSONField(blank=True, default=list, validators=[league.standings.models.validate_shares], verbose_name='percent for the places')),
            ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
        ],
        options={
            'ordering': ['pk'],
            'constraints': [models.CheckConstraint(condition=models.Q(('session__isnull', True), ('season__isnull', True), _connector='XOR'), name='pot_of_a_session_or_a_season')],
        },
    ),
    migrations.CreateModel(
        name='Payment',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('pot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='payments', to='league.pot')),
            ('member', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='payments', to='league.member')),
            ('out', models.BooleanField(default=False, verbose_name='paid out')),
            ('amount', models.DecimalField(decimal_places=2, max_digits=8, validators=[django.core.validators.MinValueValidator(Decimal('0.01')), django.core.validators.MaxValueValidator(Decimal('999999'))], verbose_name='amount')),
            ('entered_at', models.DateTimeField(default=django.utils.timezone.now)),
            ('entered_as', models.CharField(max_length=80)),
            ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
            ('withdrawn_as', models.CharField(blank=True, max_length=80)),
        ],
        options={
            'ordering': ['pk'],
        },
    ),
    migrations.CreateModel(
        name='TeamLeague',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='team_leagues', to='league.club')),
            ('public_id', models.CharField(default=league.members.models.accounts.new_public_id, editable=False, max_length=16, unique=True)),
            ('name', models.CharField(max_length=80, verbose_name='name')),
            ('state', models.CharField(choices=[('setup', 'Being set up'), ('running', 'Under way'), ('finished', 'Finished'), ('cancelled', 'Cancelled')], default='setup', max_length=10)),
            ('season', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='team_leagues', to='league.season', verbose_name='season')),
            ('ruleset', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='league.clubruleset', verbose_name='played by')),
            ('pairs', models.PositiveSmallIntegerField(default=3, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(6)], verbose_name='pairs in a team')),
            ('turns', models.PositiveSmallIntegerField(default=3, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(9)], verbose_name='games of each pair')),
            ('points_win', models.PositiveSmallIntegerField(default=2, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(20)], verbose_name='points for a match won')),
            ('points_draw', models.PositiveSmallIntegerField(default=1, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(20)], verbose_name='for a match drawn')),
            ('points_loss', models.PositiveSmallIntegerField(default=0, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(20)], verbose_name='for a match lost')),
            ('points_game', models.PositiveSmallIntegerField(default=0, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(20)], verbose_name='for each game won')),
            ('ranking', models.CharField(choices=[('games', 'games won, head-to-head, points difference'), ('meetings', 'head-to-head, games won, points difference'), ('difference', 'points difference, games won, head-to-head')], default='games', max_length=12, verbose_name='teams level on points')),
            ('borrowed', models.PositiveSmallIntegerField(default=2, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(12)], verbose_name='people borrowed for a match')),
            ('twice', models.BooleanField(default=True, verbose_name='everybody meets at home and away')),
            ('starts_on', models.DateField(validators=[league.members.validators.validate_day], verbose_name='first round')),
            ('days_between', models.PositiveSmallIntegerField(default=7, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(90)], verbose_name='days from round to round')),
            ('seed', models.PositiveIntegerField(default=0)),
            ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
            ('finished_at', models.DateTimeField(blank=True, null=True)),
        ],
        options={
            'ordering': ['-made_at', '-id'],
        },
    ),
    migrations.CreateModel(
        name='Team',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('league', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='teams', to='league.teamleague')),
            ('public_id', models.CharField(default=league.members.models.accounts.new_public_id, editable=False, max_length=16, unique=True)),
            ('name', models.CharField(max_length=40, verbose_name='name')),
            ('venue', models.CharField(blank=True, max_length=60, verbose_name='plays at home at')),
            ('roomy', models.BooleanField(default=False, verbose_name='several matches at once fit in there')),
            ('captain', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='captain_of', to='league.member', verbose_name='captain')),
            ('joined_at', models.DateTimeField(blank=True, null=True)),
            ('drawn_anew', models.BooleanField(default=False)),
            ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
        ],
        options={
            'ordering': ['id'],
            'constraints': [models.UniqueConstraint(fields=('league', 'name'), name='one_team_a_name')],
        },
    ),
    migrations.CreateModel(
        name='TeamPlayer',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('league', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='players', to='league.teamleague')),
            ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='players', to='league.team')),
            ('member', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='team_places', to='league.member')),
        ],
        options={
            'ordering': ['id'],
            'constraints': [models.UniqueConstraint(fields=('league', 'member'), name='one_team_a_person')],
        },
    ),
    migrations.CreateModel(
        name='Deduction',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deductions', to='league.team')),
            ('points', models.PositiveSmallIntegerField(validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(99)])),
            ('reason', models.CharField(max_length=200)),
            ('said_as', models.CharField(max_length=80)),
            ('at', models.DateTimeField(default=django.utils.timezone.now)),
            ('withdrawn_as', models.CharField(blank=True, max_length=80)),
            ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
        ],
        options={
            'ordering': ['id'],
        },
    ),
    migrations.CreateModel(
        name='TeamCup',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('league', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='cups', to='league.teamleague')),
            ('public_id', models.CharField(default=league.members.models.accounts.new_public_id, editable=False, max_length=16, unique=True)),
            ('name', models.CharField(max_length=80, verbose_name='name')),
            ('third_place', models.BooleanField(default=False, verbose_name='with a match for the third place')),
            ('seed', models.PositiveIntegerField(default=0)),
            ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
        ],
        options={
            'ordering': ['id'],
        },
    ),
    migrations.CreateModel(
        name='CupPlace',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('cup', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='places', to='league.teamcup')),
            ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='cup_places', to='league.team')),
            ('number', models.PositiveSmallIntegerField()),
        ],
        options={
            'ordering': ['number'],
            'constraints': [models.UniqueConstraint(fields=('cup', 'team'), name='drawn_once_a_cup'), models.UniqueConstraint(fields=('cup', 'number'), name='one_team_a_place')],
        },
    ),
    migrations.CreateModel(
        name='TeamMatch',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('league', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='matches', to='league.teamleague')),
            ('cup', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='matches', to='league.teamcup')),
            ('public_id', models.CharField(default=league.members.models.accounts.new_public_id, editable=False, max_length=16, unique=True)),
            ('round', models.PositiveSmallIntegerField()),
            ('number', models.PositiveSmallIntegerField()),
            ('place', models.CharField(blank=True, max_length=10)),
            ('home', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='at_home', to='league.team')),
            ('away', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='away', to='league.team')),
            ('held_on', models.DateField(blank=True, null=True, validators=[league.members.validators.validate_day], verbose_name='date')),
            ('first_date', models.DateField(blank=True, null=True, validators=[league.members.validators.validate_day])),
            ('venue', models.CharField(blank=True, max_length=60, verbose_name='played at')),
            ('postponed_reason', models.CharField(blank=True, max_length=200)),
            ('session', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='team_match', to='league.session')),
            ('written_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='league.team')),
            ('written_as', models.CharField(blank=True, max_length=80)),
            ('given_to', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='league.team')),
            ('given_reason', models.CharField(blank=True, max_length=200)),
            ('given_as', models.CharField(blank=True, max_length=80)),
            ('revision', models.PositiveIntegerField(default=0)),
            ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
        ],
        options={
            'ordering': ['round', 'number'],
            'constraints': [models.UniqueConstraint(condition=models.Q(('cup', None)), fields=('league', 'round', 'number'), name='one_fixture_a_number'), models.UniqueConstraint(fields=('cup', 'place'), name='one_match_a_place')],
        },
    ),
    migrations.CreateModel(
        name='Tournament',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tournaments', to='league.club')),
            ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tournaments', to='league.session')),
            ('public_id', models.CharField(default=league.members.models.accounts.new_public_id, editable=False, max_length=16, unique=True)),
            ('name', models.CharField(max_length=80, verbose_name='name')),
            ('follows', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='followed_by', to='league.tournament')),
            ('state', models.CharField(choices=[('setup', 'Being set up'), ('running', 'Under way'), ('finished', 'Finished'), ('cancelled', 'Cancelled')], default='setup', max_length=10)),
            ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
            ('finished_at', models.DateTimeField(blank=True, null=True)),
        ],
        options={
            'ordering': ['-made_at', '-id'],
        },
    ),
    migrations.CreateModel(
        name='Stage',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='stages', to='league.tournament')),
            ('number', models.PositiveSmallIntegerField(default=1)),
            ('format', models.CharField(choices=[('progressive', 'Progressive Euchre'), ('rotation', 'Individual rotation'), ('round_robin', 'Round robin of pairs'), ('swiss', 'Swiss for pairs'), ('knockout', 'Knock-out'), ('double', 'Double knock-out'), ('groups', 'Groups, then knock-out')], max_length=12, verbose_name='format')),
            ('parameters', models.JSONField(blank=True, default=dict, validators=[league.tournaments.models.validate_parameters])),
            ('cards', models.JSONField(blank=True, default=list, validators=[league.tournaments.models.validate_cards])),
            ('redrawn', models.JSONField(blank=True, default=list, validators=[league.tournaments.models.validate_redrawn])),
            ('seed', models.PositiveIntegerField(default=0)),
        ],
        options={
            'ordering': ['number'],
            'constraints': [models.UniqueConstraint(fields=('tournament', 'number'), name='one_stage_a_number')],
        },
    ),
    migrations.CreateModel(
        name='Entry',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='league.tournament')),
            ('member', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='league.member')),
            ('partner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='entries_as_partner', to='league.member')),
            ('seed', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='seed')),
            ('number', models.PositiveSmallIntegerField(blank=True, null=True)),
            ('late', models.BooleanField(default=False)),
            ('entered_at', models.DateTimeField(default=django.utils.timezone.now)),
            ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
        ],
        options={
            'ordering': ['id'],
            'constraints': [models.UniqueConstraint(fields=('tournament', 'member'), name='enters_once'), models.UniqueConstraint(fields=('tournament', 'partner'), name='partners_once'), models.UniqueConstraint(fields=('tournament', 'number'), name='one_entry_a_number')],
        },
    ),
    migrations.CreateModel(
        name='StageRound',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rounds', to='league.stage')),
            ('number', models.PositiveSmallIntegerField()),
            ('label', models.CharField(blank=True, max_length=40)),
            ('seating', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='stage_round', to='league.round')),
            ('forced_reason', models.CharField(blank=True, max_length=200)),
            ('forced_as', models.CharField(blank=True, max_length=80)),
            ('forced_at', models.DateTimeField(blank=True, null=True)),
        ],
        options={
            'ordering': ['number'],
            'constraints': [models.UniqueConstraint(fields=('stage', 'number'), name='one_stage_round_a_number')],
        },
    ),
    migrations.CreateModel(
        name='Match',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('stage_round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='matches', to='league.stageround')),
            ('number', models.PositiveSmallIntegerField()),
            ('label', models.CharField(blank=True, max_length=40)),
            ('winner', models.PositiveSmallIntegerField(blank=True, null=True)),
            ('decided_by', models.CharField(blank=True, choices=[('', 'Play'), ('extra_hand', 'One more hand'), ('cut', 'Cut of the cards'), ('walkover', 'Walk-over')], default='', max_length=10)),
            ('reason', models.CharField(blank=True, max_length=200)),
            ('decided_as', models.CharField(blank=True, max_length=80)),
        ],
        options={
            'ordering': ['number'],
            'constraints': [models.UniqueConstraint(fields=('stage_round', 'number'), name='one_match_a_number')],
        },
    ),
    migrations.CreateModel(
        name='MatchSide',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sides', to='league.match')),
            ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sides', to='league.entry')),
            ('position', models.PositiveSmallIntegerField()),
        ],
        options={
            'ordering': ['position'],
            'constraints': [models.UniqueConstraint(fields=('match', 'position'), name='one_entry_a_side'), models.UniqueConstraint(fields=('match', 'entry'), name='one_side_a_match')],
        },
    ),
    migrations.CreateModel(
        name='MatchGame',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='games', to='league.match')),
            ('table', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='match_game', to='league.table')),
            ('number', models.PositiveSmallIntegerField(default=1)),
        ],
        options={
            'ordering': ['number'],
        },
    ),
    migrations.CreateModel(
        name='Bye',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('stage_round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='byes', to='league.stageround')),
            ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='byes', to='league.entry')),
        ],
        options={
            'constraints': [models.UniqueConstraint(fields=('stage_round', 'entry'), name='one_bye_a_round')],
        },
    ),
]


class Migration(migrations.Migration):

    initial = True
    replaces = [
        ("league", "0002_cache_table"),
        ("league", "0003_table_asked_at"),
        ("league", "0004_sign_ups"),
        ("league", "0005_api_tokens"),
        ("league", "0006_team_leagues"),
        ("league", "0007_divisions"),
        ("league", "0008_pots"),
        ("league", "0009_tournament_follows"),
        ("league", "0010_team_match_revision"),
        ("league", "0011_cards_by_number"),
        ("league", "0012_team_joined_at"),
        ("league", "0013_confirmation_decision"),
        ("league", "0014_api_use"),
        ("league", "0015_told_off_at"),
        ("league", "0016_stage_redrawn"),
        ("league", "0017_team_drawn_anew"),
        ("league", "0018_limit_counts"),
        ("league", "0019_calendar_link_of_each_reader"),
        ("league", "0020_invitation_for_account"),
        ("league", "0021_club_listed"),
        ("league", "0022_jobs"),
        ("league", "0023_values_that_fields_may_hold"),
        ("league", "0024_mail_needs_consent"),
    ]

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        CreateTables(state_operations=MODELS),
        migrations.AddField(
            model_name='round',
            name='releases',
            field=models.ManyToManyField(blank=True, related_name='released_by', to='league.table'),
        ),
        migrations.RunPython(make_cache_table, migrations.RunPython.noop),
    ]
