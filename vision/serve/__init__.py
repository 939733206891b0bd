"""The server behind `hupai serve`: pages for a phone, and the JSON API that they use.

`app.create_app` makes the ASGI application. Photos are read in worker processes, so that a bad one costs a
worker and never the server.
"""
