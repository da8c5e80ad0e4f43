"""A manual in reStructuredText with one of everything."""

MANUAL = """\
:Title: The Mill
:Authors: Ada Byron
:Date: $Date: 2024-05-01 10:00:00 +0200 (Wed) $
:Team: paper

.. A comment, which nobody
   reads.

.. _top:

========
The Mill
========

It grinds |what|, *all day*:

.. |what| replace:: paper

- one
  more

  - inner

- two

1. first
2. second

A. Byron wrote this, and
it is prose.

Wheels
------

Run this::

    mill --wheel

    mill --stop

then stop.

>>> 1 + 1
2

Parts
~~~~~

.. note:: Mind the wheel.

.. warning::

   It turns.

.. code-block:: python
   :linenos:

   turn()

.. figure:: wheel.png
   :alt: A wheel

   The wheel, drawn.

.. image:: stone.png
   :alt: A stone

.. include:: /etc/passwd

.. raw:: html
   :file: /etc/passwd

Water
-----

+-------+-----------+
| Part  | Sizes     |
|       +-----+-----+
|       | min | max |
+=======+=====+=====+
| wheel | 1   | 2   |
+-------+-----+-----+

.. table:: Stones

   =====  =====  ====
   Name   Weight
   -----  -----------
   a      1      kg
   =====  =====  ====
   old    2      t
          (wet)
   new    3      t
   =====  =====  ====

.. csv-table:: Water
   :header: day, litres

   "Monday, early", 3

.. list-table::
   :header-rows: 1

   * - day
     - grain
   * - Monday
     - 4

----

.. [1] As said above.
"""
