"""Live pages: home pages, the session's page, board, wall and print-outs; health checks."""
