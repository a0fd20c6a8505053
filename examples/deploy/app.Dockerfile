# The image of your app (Rails writes a Dockerfile for it) with Mawashi in it, for its jobs:
#
#     docker build -t shop-jobs --build-arg APP=shop -f app.Dockerfile .
#
# Or put the COPY line into the app's own Dockerfile, and run web and jobs from one image. It must have glibc, as
# Debian's ruby images do.
ARG APP
ARG MAWASHI=mawashi
FROM $MAWASHI AS mawashi

FROM $APP
COPY --from=mawashi /opt/mawashi /opt/mawashi
# As a list: a shell in between would not pass TERM on. The app's ENTRYPOINT stays, and must end in `exec "$@"`.
CMD ["/opt/mawashi/mawashi", "run"]
