"""No file is taken in that is larger than any the site asks for: refused before it is read."""

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler


class RefuseLargeUploads(FileUploadHandler):
    """Looks at the length a request announces; files themselves are kept by the next handler."""

    def handle_raw_input(
        self,
        input_data: Any,
        META: Any,  # noqa: N803 - Django's name
        content_length: int,
        boundary: Any,
        encoding: Any = None,
    ) -> None:
        if content_length > settings.FILE_UPLOAD_MAX_MEMORY_SIZE:
            raise RequestDataTooBig("The file is larger than any this site takes.")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None
