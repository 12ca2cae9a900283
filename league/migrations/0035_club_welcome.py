"""What a club says to newcomers on its page."""

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
    ]
