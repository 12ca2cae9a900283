"""What a club says to newcomers on its page, and a user name that is called so."""

import django.contrib.auth.validators
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0034_promised_places'),
    ]

    operations = [
        migrations.AddField(
            model_name='club',
            name='welcome',
            field=models.TextField(blank=True, max_length=600, verbose_name='for newcomers'),
        ),
        migrations.AlterField(
            model_name='user',
            name='username',
            field=models.CharField(error_messages={'unique': 'This user name is taken. Choose another.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='user name'),
        ),
    ]
