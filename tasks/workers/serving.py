"""Serving: the loop of a worker, one item after the other. Nothing but this module unpickles, and only workers run it."""

import pickle
import socket
from functools import partial

from tasks.workers.messages import error_message, message, receive, send, value_message


def serve_all(connection: socket.socket) -> None:
    """Serve items until the pool closes the connection."""
    send(connection, *message("hello"))
    while True:
        serve(connection)


def serve(connection: socket.socket) -> None:
    """Receive one item and answer with its value or its error. Its module is imported before the time limits start."""
    payload = receive(connection)
    try:
        function, args = pickle.loads(payload)
        send(connection, *message("ready"))
        answer = value_message(function(*args, partial(tick, connection)))
    except BaseException as error:
        answer = error_message(error)
    send(connection, *answer)


def tick(connection: socket.socket, n_done: int) -> None:
    """Report that `n_done` pages are done so far. Only for the thread that runs the function."""
    send(connection, *message("tick", n_done))
